/// The streams of a fan-out, each in a slot for as long as it lives.
struct StreamTable {
    private var slots: [Stream?] = []
    private var free: [Int] = []
    private var serial: UInt64 = 0

    var count: Int { self.slots.count - self.free.count }

    /// All slots, including empty ones.
    var indices: Range<Int> { self.slots.indices }

    /// The current streams; adding and removing others does not change the sequence.
    var all: some Sequence<Stream> { self.slots.lazy.compactMap(\.self) }

    subscript(slot: Int) -> Stream? { self.slots[slot] }

    /// A stream, while it lives.
    subscript(id: StreamID) -> Stream? {
        guard let stream = self.slots[id.slot], stream.id == id else { return nil }
        return stream
    }

    /// Adds a stream that is made with a new identifier.
    mutating func add(_ make: (StreamID) -> Stream) -> Stream {
        let slot = self.free.popLast() ?? self.slots.count
        if slot == self.slots.count { self.slots.append(nil) }
        self.serial += 1
        let stream = make(StreamID(slot: slot, serial: self.serial))
        self.slots[slot] = stream
        return stream
    }

    mutating func remove(_ id: StreamID) {
        self.slots[id.slot] = nil
        self.free.append(id.slot)
    }
}
