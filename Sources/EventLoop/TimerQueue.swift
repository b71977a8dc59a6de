/// Deadlines in a binary heap that records the place of each entry.
///
/// To arm, re-arm and cancel an entry takes O(log n), about 17 comparisons in a queue of 100,000, and no allocation
/// once the queue has grown. An entry that fires leaves the queue.
struct TimerQueue<Payload> {
    /// Names an entry for as long as it is armed.
    struct Key: Hashable, Sendable {
        fileprivate let slot: Int
        fileprivate let generation: UInt32
    }

    private struct Slot {
        var payload: Payload?
        /// Where the heap holds this slot; meaningless while the slot is free.
        var place = 0
        /// Counts the uses of the slot, so that the key of an earlier use is not valid for this one.
        var generation: UInt32 = 0
    }

    /// A slot in the heap, with its deadline, so that a comparison reads only the heap.
    private struct Node {
        var deadline: Int64
        let slot: Int
    }

    private var slots: [Slot] = []
    private var free: [Int] = []
    /// Each parent is due no later than its children.
    private var heap: [Node] = []

    /// The earliest deadline.
    var next: Int64? { self.heap.first?.deadline }

    mutating func arm(_ payload: Payload, at deadline: Int64) -> Key {
        let slot = self.free.popLast() ?? self.slots.count
        if slot == self.slots.count { self.slots.append(Slot()) }
        self.slots[slot].payload = payload
        self.heap.append(Node(deadline: deadline, slot: slot))
        self.siftUp(self.heap.count - 1)
        return Key(slot: slot, generation: self.slots[slot].generation)
    }

    /// Moves an entry to another deadline; false when it fired or was cancelled before.
    mutating func rearm(_ key: Key, at deadline: Int64) -> Bool {
        guard self.isArmed(key) else { return false }
        self.fill(self.slots[key.slot].place, with: Node(deadline: deadline, slot: key.slot))
        return true
    }

    /// Takes an entry out; nothing happens when it fired or was cancelled before.
    mutating func cancel(_ key: Key) {
        guard self.isArmed(key) else { return }
        _ = self.remove(key.slot)
    }

    /// Takes out the earliest entry if it is due.
    mutating func popDue(at now: Int64) -> Payload? {
        guard let first = self.heap.first, first.deadline <= now else { return nil }
        return self.remove(first.slot)
    }

    private func isArmed(_ key: Key) -> Bool {
        self.slots[key.slot].payload != nil && self.slots[key.slot].generation == key.generation
    }

    private mutating func remove(_ slot: Int) -> Payload? {
        let place = self.slots[slot].place
        let last = self.heap.removeLast()
        if last.slot != slot { self.fill(place, with: last) }
        let payload = self.slots[slot].payload
        self.slots[slot].payload = nil
        self.slots[slot].generation &+= 1
        self.free.append(slot)
        return payload
    }

    /// Puts another node into a place, and moves it to where it belongs.
    private mutating func fill(_ place: Int, with node: Node) {
        let isEarlier = node.deadline < self.heap[place].deadline
        self.heap[place] = node
        if isEarlier { self.siftUp(place) } else { self.siftDown(place) }
    }

    private mutating func siftUp(_ start: Int) {
        let node = self.heap[start]
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard node.deadline < self.heap[parent].deadline else { break }
            self.put(self.heap[parent], at: place)
            place = parent
        }
        self.put(node, at: place)
    }

    private mutating func siftDown(_ start: Int) {
        let node = self.heap[start]
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < self.heap.count else { break }
            if child + 1 < self.heap.count, self.heap[child + 1].deadline < self.heap[child].deadline { child += 1 }
            guard self.heap[child].deadline < node.deadline else { break }
            self.put(self.heap[child], at: place)
            place = child
        }
        self.put(node, at: place)
    }

    private mutating func put(_ node: Node, at place: Int) {
        self.heap[place] = node
        self.slots[node.slot].place = place
    }
}
