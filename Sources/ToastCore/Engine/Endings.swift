/// The watched toasts of a channel; their final states are kept however many toasts end after them.
struct Endings: Sendable {
    /// The watched toasts that have not ended.
    var open: Set<ToastID> = []

    /// The watched toasts that have ended, in their final state.
    var ended: [Toast] = []

    /// Notes that a toast has ended.
    mutating func note(_ toast: Toast) {
        if self.open.remove(toast.id) != nil { self.ended.append(toast) }
    }
}

extension Engine {
    /// Watches a toast: when it has ended, ``takeEndings()`` returns it once.
    public mutating func watch(_ id: ToastID) {
        guard let toast = self.toasts[id]?.toast else { return }
        if toast.state == .dismissed { self.endings.ended.append(toast) } else { self.endings.open.insert(id) }
    }

    /// Whether watched toasts have ended.
    @inline(__always)
    public var hasEndings: Bool { !self.endings.ended.isEmpty }

    /// Returns the watched toasts that have ended, and forgets them.
    public mutating func takeEndings() -> [Toast] {
        var ended: [Toast] = []
        swap(&ended, &self.endings.ended)
        return ended
    }
}
