extension QueueMode {
    /// Whether the screen stays empty for a while after an exit (NoticeUI: in its queues, but not in `replaceAll`).
    var hasPause: Bool { self == .fifo || self == .priority }

    /// The rank of a role in the queue; a lower rank comes first.
    ///
    /// The order is that of NoticeUI's priorities, where a higher number comes first: error 3, warning 2, success 1,
    /// info 0.
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
    var keepsOnlyNewest: Bool { self == .replaceAll || self == .replace }

    /// Whether a new toast takes the place of the one on screen at once, instead of waiting for its exit (Toaster,
    /// In-App).
    var swapsInPlace: Bool { self == .replace }

    /// Whether several toasts are on screen, come without waiting for an exit, and have their time counted from the end
    /// of their entry (Y-Snackbar).
    var isStack: Bool { self == .stack }

    /// Whether a toast is refused while another is on screen or waits (ToastUI).
    var refusesWhenBusy: Bool { self == .reject }
}
