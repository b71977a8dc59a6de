extension QueueMode {
    /// How long a toast takes to leave the screen (NoticeUI).
    static let exit = Interval(milliseconds: 350)

    /// How long the screen stays empty behind an exit (NoticeUI: `replaceAll` has no pause).
    var pause: Interval {
        switch self {
        case .fifo, .priority: Interval(milliseconds: 200)
        case .replaceAll: .zero
        }
    }

    /// Where toasts of a role stand in the queue: a lower rank comes first (NoticeUI: error 3, warning 2,
    /// success 1, info 0).
    func rank(of role: Role) -> Int {
        switch (self, role) {
        case (.fifo, _), (.replaceAll, _): 0
        case (.priority, .error): 0
        case (.priority, .warning): 1
        case (.priority, .success): 2
        case (.priority, .info): 3
        }
    }

    /// Whether a new toast ends all others.
    var keepsOnlyNewest: Bool { self == .replaceAll }
}
