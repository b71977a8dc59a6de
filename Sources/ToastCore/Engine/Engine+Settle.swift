extension Engine {
    /// Something that time alone brings about.
    private enum Due {
        case release(ToastID, holder: String)
        case timeout(ToastID)
        case expiry(ToastID)
    }

    /// When to apply a ``Command/tick``; `nil` while only a command can change anything.
    ///
    /// An instant in the past means that something is overdue.
    public var nextDeadline: Instant? {
        switch (self.due?.at, self.nextPresentation) {
        case (let due?, let presentation?): min(due, presentation)
        case (let due, let presentation): due ?? presentation
        }
    }

    /// Does what time asked for up to now, each at its own instant, and presents what can be.
    ///
    /// What is late is dismissed as if it had been on time. A presentation is never backdated, because nobody
    /// has seen the toast yet.
    mutating func settle(at now: Instant, _ events: inout [Event]) {
        while let (instant, due) = self.due, instant <= now {
            switch due {
            case .release(let id, let holder): self.release(id, holder, at: instant, &events)
            case .timeout(let id): self.dismiss(id, .timeout, at: instant, &events)
            case .expiry(let id): self.dismiss(id, .expired, at: instant, &events)
            }
        }
        self.presentNext(at: now, &events)
    }

    /// Presents the first toast of the queue if there is room for it and someone to see it.
    mutating func presentNext(at now: Instant, _ events: inout [Event]) {
        guard let instant = self.nextPresentation, instant <= now, let next = self.lane.queue.first,
            var toast = self.toast(next.id)
        else { return }
        toast.state = .presented
        toast.presentedAt = now
        self.emit(.presented(toast, remaining: self.timeOnScreen(of: toast.content)), at: now, &events)
    }

    /// How long a toast stays for the present audience; `nil` for indefinitely.
    ///
    /// An assistive audience has half as much time again (NoticeUI), and all the time for what requires an
    /// interaction (Y-Snackbar).
    func timeOnScreen(of content: ToastContent) -> Interval? {
        guard let interval = content.duration.interval, self.audience.isAssistive else {
            return content.duration.interval
        }
        guard !content.details.requiresInteraction else { return nil }
        return Interval(milliseconds: (interval.milliseconds * 3 + 1) / 2)
    }

    /// When the first toast of the queue may come on screen; `nil` while none may.
    private var nextPresentation: Instant? {
        guard self.lane.presented.isEmpty, self.lane.queue.first != nil,
            self.audience.isAttached || self.effective.whenUnattended == .present
        else { return nil }
        return self.lane.freeAt
    }

    /// What time brings about first; of several at one instant, holds end before countdowns, and these before waits.
    private var due: (at: Instant, what: Due)? {
        var first: (at: Instant, what: Due)?
        func consider(_ instant: Instant, _ due: Due) {
            if first.map({ instant < $0.at }) ?? true { first = (instant, due) }
        }
        for slot in self.lane.presented {
            for hold in slot.holds { consider(hold.until, .release(slot.id, holder: hold.holder)) }
            if case .running(let end) = slot.countdown { consider(end, .timeout(slot.id)) }
        }
        if let expiry = self.lane.expiries.first { consider(expiry.key, .expiry(expiry.id)) }
        return first
    }
}
