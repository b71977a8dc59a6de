/// A part of the screen with its own queue: who is shown there, who comes next, and when there is room.
struct Lane: Sendable {
    /// The toasts on screen, oldest first; at most one in the modes of this version.
    var presented: [Slot] = []

    /// The toasts that wait, in the order in which they will come.
    private(set) var queue = Ordered<Ticket<Int>>()

    /// The toasts that will not wait forever, by the instant at which they give up.
    private(set) var expiries = Ordered<Ticket<Instant>>()

    /// When the exit of the last toast and the pause behind it are over.
    ///
    /// Until then the lane is as busy as with a toast in it, and what is enqueued waits (NoticeUI bug 1 in
    /// `docs/engine.md`).
    var freeAt = Instant(nanoseconds: 0)

    /// Puts a toast into the queue.
    mutating func lineUp(_ toast: Toast, sequence: Offset, mode: QueueMode) {
        self.queue.insert(Ticket(key: mode.rank(of: toast.content.role), sequence: sequence, id: toast.id))
        guard let expiresAfter = toast.content.expiresAfter else { return }
        self.expiries.insert(Ticket(key: toast.createdAt + expiresAfter, sequence: sequence, id: toast.id))
    }

    /// Takes a toast out of the queue, as it stood when it was put there.
    mutating func leave(_ toast: Toast, sequence: Offset, mode: QueueMode) {
        self.queue.remove(Ticket(key: mode.rank(of: toast.content.role), sequence: sequence, id: toast.id))
        guard let expiresAfter = toast.content.expiresAfter else { return }
        self.expiries.remove(Ticket(key: toast.createdAt + expiresAfter, sequence: sequence, id: toast.id))
    }

    /// Takes all toasts out of the queue.
    mutating func emptyQueue() {
        self.queue.removeAll()
        self.expiries.removeAll()
    }

    /// The position of a toast on screen.
    func position(of id: ToastID) -> Int? {
        self.presented.firstIndex { $0.id == id }
    }
}
