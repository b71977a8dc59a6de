import DequeModule

/// Frames that wait because the socket was full: bounded, oldest first, the first one perhaps partly sent.
///
/// On overflow the stream ends. A consumer that cannot keep up resumes by its cursor; it never makes others wait.
struct SendQueue {
    let limit: StreamWriter.Backlog
    private var frames: Deque<Frame> = []
    /// How many bytes of the first frame are sent.
    private var sent = 0
    private var bytes = 0

    init(limit: StreamWriter.Backlog) { self.limit = limit }

    var isEmpty: Bool { self.frames.isEmpty }

    /// The frame to send next, and where to start in it.
    var next: (frame: Frame, start: Int)? { self.frames.first.map { ($0, self.sent) } }

    /// Whether the first frame is partly sent.
    var isPartial: Bool { self.sent > 0 }

    /// All frames that wait; the first one without the bytes that are sent.
    var rest: [Frame] {
        guard let (frame, start) = self.next else { return [] }
        let first = start == 0 ? frame : Frame(Array(frame.bytes[start...]), charge: frame.charge)
        return [first] + self.frames.dropFirst()
    }

    /// Adds a frame of which `sent` bytes are sent; false when there is no room.
    mutating func append(_ frame: Frame, sent: Int = 0) -> Bool {
        let fits = self.frames.count < self.limit.frames && self.bytes + frame.count - sent <= self.limit.bytes
        // A single frame always fits, however long: the bound is for frames that accumulate.
        guard fits || self.isEmpty else { return false }
        if self.isEmpty { self.sent = sent }
        self.frames.append(frame)
        self.bytes += frame.count - sent
        return true
    }

    /// Notes that `count` more bytes of ``next`` were sent.
    mutating func advance(by count: Int) {
        self.bytes -= count
        self.sent += count
        guard self.sent == self.frames.first?.count else { return }
        self.sent = 0
        self.frames.removeFirst()
        // An idle stream keeps no buffer.
        if self.isEmpty { self.frames = [] }
    }
}
