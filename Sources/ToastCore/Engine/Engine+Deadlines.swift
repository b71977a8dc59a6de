extension Engine {
    // A nonmutating function gets a copy of the engine unless it is inlined.

    /// When to call ``tick(at:)``; `nil` while only a command can change anything, in the past when something is
    /// overdue.
    @inline(__always)
    public var nextDeadline: Instant? {
        var next = self.due?.key.at
        if let end = self.assistiveEnd { next = next.map { min($0, end) } ?? end }
        for lane in self.lanes.indices {
            guard let presentation = self.nextPresentation(in: lane) else { continue }
            next = next.map { min($0, presentation) } ?? presentation
        }
        return next
    }

    /// Whether something is overdue at an instant.
    @inline(__always)
    func isOverdue(at now: Instant) -> Bool { self.nextDeadline.map { $0 <= now } ?? false }

    /// ``nextDeadline``, and how many toasts are queued.
    ///
    /// The hub asks after every change. Mutating, so that no copy is made.
    public mutating func outlook() -> (deadline: Instant?, queueLength: Int) {
        (self.nextDeadline, self.queueLength)
    }

    /// Runs everything that is due up to now, each at its own instant, and presents what can come on screen.
    ///
    /// A late dismissal gets the instant at which it was due, or that of the last event if that is later: an update may
    /// have set an `expiresAfter` that the toast has already exceeded. A presentation gets the present instant, because
    /// the toast was not on screen before.
    mutating func runOverdue(at now: Instant, _ events: inout [Event]) {
        if let end = self.assistiveEnd, end <= now {
            self.runDeadlines(until: end, &events)
            self.endAssistance(at: max(end, self.lastInstant), &events)
        }
        self.runDeadlines(until: now, &events)
        self.presentNext(at: now, &events)
    }

    @inline(__always)
    private mutating func runDeadlines(until now: Instant, _ events: inout [Event]) {
        while let due = self.due, due.key.at <= now {
            let instant = max(due.key.at, self.lastInstant)
            switch due.key.kind {
            case .release: self.endFirstHold(of: due.id, at: instant, &events)
            case .timeout:
                guard let toast = self.toast(due.id) else { return }
                self.dismiss(toast, toast.content.reasonToEnd, at: instant, &events)
            case .replacement: self.dismiss(due.id, .replaced, at: instant, &events)
            case .expiry: self.dismiss(due.id, .expired, at: instant, &events)
            case .arrival: self.endDelay(of: due.id, at: instant, &events)
            }
        }
    }

    /// Presents queued toasts, lane by lane, as far as there is room and an audience.
    mutating func presentNext(at now: Instant, _ events: inout [Event]) {
        for lane in self.lanes.indices {
            while let instant = self.nextPresentation(in: lane), instant <= now,
                let next = self.lanes[lane].queue.first, let toast = self.toast(next.id)
            {
                self.makeRoom(in: lane, at: now, &events)
                self.present(toast, at: now, &events)
            }
        }
    }

    /// The first deadline.
    @inline(__always)
    private var due: QueueKey<Deadline>? {
        var first = self.expiries.first
        if let arrival = self.delayed.first { first = first.map { min($0, arrival) } ?? arrival }
        for lane in self.lanes.indices {
            guard let timer = self.lanes[lane].timer else { continue }
            first = first.map { min($0, timer) } ?? timer
        }
        let mode = self.effective.mode
        guard mode.keepsOnlyNewest, !mode.swapsInPlace, let replacement = self.nextReplacement else { return first }
        return first.map { min($0, replacement) } ?? replacement
    }

    /// When the first toast of a lane's queue may come on screen; `nil` while it may not.
    @inline(__always)
    private func nextPresentation(in lane: Int) -> Instant? {
        guard self.lanes[lane].queue.first != nil,
            self.audience.isAttached || self.effective.whenUnattended == .present
        else { return nil }
        let (mode, count) = (self.effective.mode, self.lanes[lane].presented.count)
        if mode.isStack { return count < self.visibleCount ? self.lastInstant : nil }
        return count == 0 || mode.swapsInPlace ? self.lanes[lane].freeAt : nil
    }

    /// How many toasts of a lane a stack shows at once (Y-Snackbar bug 39 in `docs/engine.md`).
    private var visibleCount: Int { min(self.effective.maxVisible ?? Self.maximumVisible, Self.maximumVisible) }

    /// In a mode that swaps in place, dismisses what is on screen, at the same instant and without an exit.
    private mutating func makeRoom(in lane: Int, at now: Instant, _ events: inout [Event]) {
        guard self.effective.mode.swapsInPlace else { return }
        for slot in self.lanes[lane].presented { self.dismiss(slot.id, .replaced, exit: .zero, at: now, &events) }
    }

    private mutating func present(_ toast: consuming Toast, at now: Instant, _ events: inout [Event]) {
        toast.state = .presented
        toast.presentedAt = now
        let presentation = Presentation(
            remaining: self.timeOnScreen(of: toast, at: now),
            haptic: self.haptic(of: toast),
            announcement: self.announcement(of: toast)
        )
        self.emit(.presented(toast, presentation), at: now, &events)
    }
}
