import MicroHTTP

/// Frames that wait for a stream's socket; for a long-poll, the envelopes of its answer.
struct CollectedFrames {
    private(set) var frames: [Frame] = []
    private(set) var bytes = 0

    /// The long-poll's answer is a full page; further events are for the next poll.
    private(set) var isFull = false

    var isEmpty: Bool { self.frames.isEmpty }

    /// The frames' bytes, which are the events of an answer.
    var envelopes: some Sequence<[UInt8]> { self.frames.lazy.map(\.bytes) }

    mutating func append(_ frame: Frame) {
        self.frames.append(frame)
        self.bytes += frame.count
    }

    mutating func prepend(_ frame: Frame) {
        self.frames.insert(frame, at: 0)
        self.bytes += frame.count
    }

    /// Adds an envelope to a long-poll's answer.
    ///
    /// - Returns: False when the answer would then exceed a page.
    mutating func addToPage(_ envelope: Frame) -> Bool {
        let fits = self.frames.isEmpty || self.bytes + envelope.count <= ReplayPage.maximumBytes
        if fits { self.append(envelope) }
        if !fits || self.bytes >= ReplayPage.maximumBytes { self.isFull = true }
        return fits
    }

    /// Leaves further events to the next poll.
    mutating func endPage() {
        self.isFull = true
    }

    /// Takes all frames, and their charges with them.
    mutating func take() -> [Frame] {
        defer { (self.frames, self.bytes) = ([], 0) }
        return self.frames
    }
}
