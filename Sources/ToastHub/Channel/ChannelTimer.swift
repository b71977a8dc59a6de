import EventLoop

/// The timer of a channel.
struct ChannelTimer {
    /// The deadline, to move the timer only when the deadline has changed.
    private(set) var deadline: Int64?
    private var timer: EventLoop.Timer?

    var isArmed: Bool { self.timer != nil }

    /// Sets the timer to wake a sleeper at a reading of the monotonic clock; nil for never.
    mutating func arm(at deadline: Int64?, on loop: EventLoop, waking sleeper: some Sleeper) {
        guard deadline != self.deadline else { return }
        self.deadline = deadline
        guard let deadline else {
            if let timer = self.timer { loop.cancel(timer) }
            self.timer = nil
            return
        }
        if let timer = self.timer, loop.reschedule(timer, at: deadline) { return }
        self.timer = loop.schedule(at: deadline, sleeper)
    }

    /// Notes that the timer has fired.
    mutating func expire() {
        self.timer = nil
        self.deadline = nil
    }
}
