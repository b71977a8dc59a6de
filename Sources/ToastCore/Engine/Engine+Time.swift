extension Engine {
    /// How long a toast stays on screen when its time is set now, for the present audience; `nil` for indefinitely.
    ///
    /// In a stack its time begins when its entry is over, and its move to the newest place if it makes one
    /// (Y-Snackbar).
    @inline(__always)
    func timeOnScreen(of toast: Toast, at now: Instant, moves: Bool = false) -> Interval? {
        guard let time = self.time(for: toast.content) else { return nil }
        guard self.effective.mode.isStack, let presentedAt = toast.presentedAt else { return time }
        let animations = self.effective.animations
        let entry = max(.zero, presentedAt + animations.enter.length - now)
        return time + max(entry, moves ? animations.move.length : .zero)
    }

    /// The time of some content, for the present audience; `nil` for indefinitely.
    ///
    /// An audience may ask for more time (NoticeUI). Content that requires an interaction stays indefinitely for an
    /// assistive audience (Y-Snackbar), and content with a pending action for any.
    @inline(__always)
    func time(for content: ToastContent) -> Interval? {
        guard let interval = content.completion ?? content.duration.interval, !content.box.isPending else { return nil }
        guard !self.audience.isAssistive || !content.box.requiresInteraction else { return nil }
        let factor = self.audience.factor
        guard factor > 1 else { return interval }
        return Interval(milliseconds: Int64((Double(interval.milliseconds) * factor).rounded()))
    }
}

extension ToastContent {
    /// How long the toast stays after its progress is complete; `nil` before, or when no time was sent.
    var completion: Interval? { self.box.progress?.completion }

    /// The reason for which the toast ends when its time on screen is over.
    var reasonToEnd: DismissReason { self.completion == nil ? .timeout : .completed }
}
