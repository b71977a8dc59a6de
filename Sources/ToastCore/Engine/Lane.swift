/// A queue and its part of the screen.
struct Lane: Sendable {
    /// The toasts on screen, by their place: the newest last.
    private(set) var presented: [Slot] = []

    /// The first deadline of one of them; stored, because it is read far more often than it changes, and a stack is
    /// long.
    private(set) var timer: QueueKey<Deadline>?

    /// The queued toasts, in the order in which they will be presented.
    var queue = Ordered<QueueKey<Int>>()

    /// When the last exit and the pause after it are over.
    ///
    /// Until then the lane counts as busy, and toasts wait (NoticeUI bug 1 in `docs/engine.md`); only a stack does not
    /// wait for exits.
    var freeAt = Instant(nanoseconds: 0)

    /// The toast that others have to wait for: the one on screen, or else the first in the queue.
    var occupant: ToastID? { self.presented.last?.id ?? self.queue.first?.id }

    /// The position of a toast on screen.
    func position(of id: ToastID) -> Int? {
        self.presented.firstIndex { $0.id == id }
    }

    /// Puts a toast on screen.
    mutating func show(_ slot: Slot) {
        self.insert(slot)
        self.setTimer(replacing: nil, with: slot.deadline)
    }

    /// Takes a toast off the screen.
    mutating func remove(at position: Int) {
        let slot = self.presented.remove(at: position)
        self.setTimer(replacing: slot.deadline, with: nil)
    }

    /// Changes a toast on screen, and moves it if the change gives it another place.
    mutating func change(at position: Int, _ change: (inout Slot) -> Void) {
        var slot = self.presented[position]
        let old = slot.deadline
        change(&slot)
        if slot.place == self.presented[position].place {
            self.presented[position] = slot
        } else {
            self.presented.remove(at: position)
            self.insert(slot)
        }
        self.setTimer(replacing: old, with: slot.deadline)
    }

    private mutating func insert(_ slot: Slot) {
        let position = self.presented.lastIndex { $0.place < slot.place }.map { $0 + 1 } ?? 0
        self.presented.insert(slot, at: position)
    }

    private mutating func setTimer(replacing old: QueueKey<Deadline>?, with new: QueueKey<Deadline>?) {
        if let old, old == self.timer {
            self.timer = self.presented.lazy.compactMap(\.deadline).min()
        } else if let new {
            self.timer = self.timer.map { min($0, new) } ?? new
        }
    }
}

extension Lanes {
    /// How many lanes there are.
    var count: Int {
        switch self {
        case .shared: 1
        case .placement: Placement.allCases.count
        }
    }

    /// The lane of a placement.
    func index(of placement: Placement) -> Int {
        switch (self, placement) {
        case (.shared, _), (.placement, .top): 0
        case (.placement, .center): 1
        case (.placement, .bottom): 2
        }
    }
}
