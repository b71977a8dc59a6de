extension Engine {
    /// Changes the state as an event says: how a channel is rebuilt from what its store kept.
    ///
    /// An event about a toast that the channel does not know changes nothing but the offset.
    public mutating func fold(_ event: Event) {
        self.offset = event.offset
        self.lastInstant = max(self.lastInstant, event.at)
        switch event.kind {
        case .enqueued(let toast):
            self.toasts[toast.id] = Entry(toast: toast, sequence: event.offset)
            self.lane.lineUp(toast, sequence: event.offset, mode: self.effective.mode)
        case .presented(let toast, let remaining):
            self.foldPresented(toast, Countdown(remaining, from: event.at, isHeld: false))
        case .updated(let toast, _, let remaining):
            self.foldUpdated(toast, remaining, at: event.at)
        case .acted:
            break
        case .dismissed(let id, let reason, let action, let exit, _):
            self.foldDismissed(id, reason, action, freeAt: event.at + exit + self.pause, at: event.at)
        case .held(let id, let holder, let remaining, let lease):
            self.foldHolds(of: id, remaining, at: event.at) { holds in
                holds.removeAll { $0.holder == holder }
                holds.append(Slot.Hold(holder: holder, until: event.at + lease))
            }
        case .released(let id, let holder, let remaining, _):
            self.foldHolds(of: id, remaining, at: event.at) { holds in
                holds.removeAll { $0.holder == holder }
            }
        case .configured(let settings):
            self.foldConfigured(settings)
        }
    }

    /// How long the screen stays empty behind an exit.
    private var pause: Interval { self.effective.mode.hasPause ? self.effective.pause : .zero }

    private mutating func foldPresented(_ toast: Toast, _ countdown: Countdown) {
        self.leaveQueue(toast.id)
        self.toasts[toast.id]?.toast = toast
        self.lane.presented.append(Slot(id: toast.id, countdown: countdown))
    }

    private mutating func foldUpdated(_ toast: Toast, _ remaining: Interval?, at instant: Instant) {
        if let position = self.lane.position(of: toast.id) {
            let isHeld = !self.lane.presented[position].holds.isEmpty
            self.lane.presented[position].countdown = Countdown(remaining, from: instant, isHeld: isHeld)
            self.toasts[toast.id]?.toast = toast
        } else if let entry = self.toasts[toast.id] {
            self.leaveQueue(toast.id)
            self.toasts[toast.id]?.toast = toast
            self.lane.lineUp(toast, sequence: entry.sequence, mode: self.effective.mode)
        }
    }

    private mutating func foldDismissed(
        _ id: ToastID,
        _ reason: DismissReason,
        _ action: String?,
        freeAt: Instant,
        at instant: Instant
    ) {
        if let position = self.lane.position(of: id) {
            self.lane.presented.remove(at: position)
            self.lane.freeAt = freeAt
        } else {
            self.leaveQueue(id)
        }
        guard var toast = self.toast(id) else { return }
        toast.state = .dismissed
        toast.dismissedAt = instant
        toast.dismissReason = reason
        toast.action = action
        self.toasts[id]?.toast = toast
        self.history.append(id)
        if self.history.count > Self.maximumHistory {
            self.toasts[self.history.removeFirst()] = nil
        }
    }

    private mutating func foldHolds(
        of id: ToastID,
        _ remaining: Interval?,
        at instant: Instant,
        _ change: (inout [Slot.Hold]) -> Void
    ) {
        guard let position = self.lane.position(of: id) else { return }
        change(&self.lane.presented[position].holds)
        let isHeld = !self.lane.presented[position].holds.isEmpty
        self.lane.presented[position].countdown = Countdown(remaining, from: instant, isHeld: isHeld)
    }

    /// Settings that change the order of the queue change it for those that wait, too.
    private mutating func foldConfigured(_ settings: Settings) {
        let waiting = self.lane.queue.elements
        let mode = self.effective.mode
        self.adopt(settings)
        guard self.effective.mode != mode else { return }
        self.lane.emptyQueue()
        for ticket in waiting {
            guard let entry = self.toasts[ticket.id] else { continue }
            self.lane.lineUp(entry.toast, sequence: entry.sequence, mode: self.effective.mode)
        }
    }

    private mutating func leaveQueue(_ id: ToastID) {
        guard let entry = self.toasts[id] else { return }
        self.lane.leave(entry.toast, sequence: entry.sequence, mode: self.effective.mode)
    }
}
