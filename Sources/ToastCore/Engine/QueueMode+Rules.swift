extension QueueMode {
    /// Whether the screen stays empty for a while behind an exit (NoticeUI: in its queues, but not in `replaceAll`).
    var hasPause: Bool {
        switch self {
        case .fifo, .priority: true
        case .replaceAll, .replace, .stack, .reject: false
        }
    }

    /// Where toasts of a role stand in the queue: a lower rank comes first (NoticeUI: error 3, warning 2,
    /// success 1, info 0).
    func rank(of role: Role) -> Int {
        switch (self, role) {
        case (.priority, .error): 0
        case (.priority, .warning): 1
        case (.priority, .success): 2
        case (.priority, .info): 3
        default: 0
        }
    }

    /// Whether a new toast ends all others.
    var keepsOnlyNewest: Bool { self == .replaceAll }
}
