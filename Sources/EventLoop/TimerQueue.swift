/// Deadlines in a binary heap that knows where each of its entries stands.
///
/// To arm, re-arm and cancel cost O(log n) and no allocation once the queue has grown: a queue of 100,000 moves an
/// entry in about 17 comparisons. An entry that fires is gone from the queue.
struct TimerQueue<Payload> {
    /// Names an entry for as long as it is armed.
    struct Key: Hashable, Sendable {
        fileprivate let slot: Int
        fileprivate let generation: UInt32
    }

    private struct Slot {
        var deadline: Int64 = 0
        var payload: Payload?
        /// Where the heap holds this slot; meaningless while the slot is free.
        var place = 0
        /// Counts the uses of the slot, so that the key of an earlier use fits no longer.
        var generation: UInt32 = 0
    }

    private var slots: [Slot] = []
    private var free: [Int] = []
    /// Slot numbers; each parent is due no later than its children.
    private var heap: [Int] = []

    /// How many entries are armed.
    var count: Int { self.heap.count }

    /// The earliest deadline.
    var next: Int64? { self.heap.first.map { self.slots[$0].deadline } }

    mutating func arm(_ payload: Payload, at deadline: Int64) -> Key {
        let slot = self.free.popLast() ?? self.slots.count
        if slot == self.slots.count { self.slots.append(Slot()) }
        self.slots[slot].deadline = deadline
        self.slots[slot].payload = payload
        self.slots[slot].place = self.heap.count
        self.heap.append(slot)
        self.siftUp(self.heap.count - 1)
        return Key(slot: slot, generation: self.slots[slot].generation)
    }

    /// Moves an entry to another deadline; false when it fired or was cancelled before.
    mutating func rearm(_ key: Key, at deadline: Int64) -> Bool {
        guard self.isArmed(key) else { return false }
        let isEarlier = deadline < self.slots[key.slot].deadline
        self.slots[key.slot].deadline = deadline
        if isEarlier {
            self.siftUp(self.slots[key.slot].place)
        } else {
            self.siftDown(self.slots[key.slot].place)
        }
        return true
    }

    /// Takes an entry out; nothing happens when it fired or was cancelled before.
    mutating func cancel(_ key: Key) {
        guard self.isArmed(key) else { return }
        _ = self.remove(key.slot)
    }

    /// Takes out the earliest entry if it is due.
    mutating func popDue(at now: Int64) -> Payload? {
        guard let slot = self.heap.first, self.slots[slot].deadline <= now else { return nil }
        return self.remove(slot)
    }

    private func isArmed(_ key: Key) -> Bool {
        self.slots[key.slot].payload != nil && self.slots[key.slot].generation == key.generation
    }

    private mutating func remove(_ slot: Int) -> Payload? {
        let place = self.slots[slot].place
        let last = self.heap.removeLast()
        if last != slot {
            self.put(last, at: place)
            self.siftDown(place)
            self.siftUp(self.slots[last].place)
        }
        let payload = self.slots[slot].payload
        self.slots[slot].payload = nil
        self.slots[slot].generation &+= 1
        self.free.append(slot)
        return payload
    }

    private mutating func siftUp(_ start: Int) {
        let slot = self.heap[start]
        let deadline = self.slots[slot].deadline
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard deadline < self.slots[self.heap[parent]].deadline else { break }
            self.put(self.heap[parent], at: place)
            place = parent
        }
        self.put(slot, at: place)
    }

    private mutating func siftDown(_ start: Int) {
        let slot = self.heap[start]
        let deadline = self.slots[slot].deadline
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < self.heap.count else { break }
            if child + 1 < self.heap.count,
                self.slots[self.heap[child + 1]].deadline < self.slots[self.heap[child]].deadline
            {
                child += 1
            }
            guard self.slots[self.heap[child]].deadline < deadline else { break }
            self.put(self.heap[child], at: place)
            place = child
        }
        self.put(slot, at: place)
    }

    private mutating func put(_ slot: Int, at place: Int) {
        self.heap[place] = slot
        self.slots[slot].place = place
    }
}
