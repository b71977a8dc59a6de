extension Engine {
    /// How long a toast stays on screen when its time is set now, for the present audience; `nil` for indefinitely.
    ///
    /// In a stack its time begins at the end of its entry, or of its move to the place of the newest if it makes one
    /// (Y-Snackbar).
    @inline(__always)
    func timeOnScreen(of toast: Toast, at now: Instant, moves: Bool = false) -> Interval? {
        guard let time = self.time(for: toast.content) else { return nil }
        guard self.effective.mode.isStack, let presentedAt = toast.presentedAt else { return time }
        let animations = self.effective.animations
        let entry = max(.zero, presentedAt + animations.enter.length - now)
        return time + max(entry, moves ? animations.move.length : .zero)
    }

    /// An audience may wish for more time (NoticeUI), and an assistive one has all the time for what requires an
    /// interaction (Y-Snackbar).
    ///
    /// Work that a person has asked for takes the time it takes.
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
    /// How long the toast stays once its progress is complete, if it is and this is said.
    var completion: Interval? { self.box.progress?.completion }

    /// Why the toast's time on screen is over, when it is.
    var reasonToEnd: DismissReason { self.completion == nil ? .timeout : .completed }
}
