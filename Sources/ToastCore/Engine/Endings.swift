/// The toasts of a channel whose ends have to be kept, however many toasts end after them.
struct Endings: Sendable {
    /// Those that live.
    var open: Set<ToastID> = []

    /// Those that have ended, as they ended.
    var ended: [Toast] = []

    /// Notes that a toast has ended.
    mutating func note(_ toast: Toast) {
        if self.open.remove(toast.id) != nil { self.ended.append(toast) }
    }
}

extension Engine {
    /// Wants to know how a toast ends: ``takeEndings()`` tells it once.
    public mutating func watch(_ id: ToastID) {
        guard let toast = self.toasts[id]?.toast else { return }
        if toast.state == .dismissed { self.endings.ended.append(toast) } else { self.endings.open.insert(id) }
    }

    /// Whether toasts have ended of which somebody wants to know it.
    @inline(__always)
    public var hasEndings: Bool { !self.endings.ended.isEmpty }

    /// The toasts that ended of those that somebody wants to know of, as they ended.
    public mutating func takeEndings() -> [Toast] {
        var ended: [Toast] = []
        swap(&ended, &self.endings.ended)
        return ended
    }
}
