/// Events in the order of their times, and at the same time in the order in which they were added.
struct Timeline<Event> {
    private var heap: [(time: Double, order: Int, event: Event)] = []
    private var added = 0

    mutating func add(_ event: Event, at time: Double) {
        self.added += 1
        self.heap.append((time, self.added, event))
        var child = self.heap.count - 1
        while child > 0, self.isBefore(child, (child - 1) / 2) {
            self.heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (time: Double, event: Event)? {
        guard let first = self.heap.first else { return nil }
        let last = self.heap.removeLast()
        if !self.heap.isEmpty {
            self.heap[0] = last
            self.sink()
        }
        return (first.time, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < self.heap.count }
            guard let child = children.min(by: { self.isBefore($0, $1) }), self.isBefore(child, parent) else { return }
            self.heap.swapAt(child, parent)
            parent = child
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (self.heap[left].time, self.heap[left].order) < (self.heap[right].time, self.heap[right].order)
    }
}
