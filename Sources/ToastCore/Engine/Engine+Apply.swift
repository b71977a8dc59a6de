extension Engine {
    /// Runs what is overdue, carries a command out, and presents what can come on screen.
    ///
    /// Instants count in whole milliseconds, as in events; one before the last event counts as that event's. When it
    /// throws, nothing has changed, and the next command runs what is overdue. A caller that wants its errors to
    /// describe the present calls ``tick(at:)`` first.
    ///
    /// - Returns: The events in order, their offsets without a gap; empty when nothing changed.
    /// - Throws: Why the command was refused.
    public mutating func apply(_ command: Command, at instant: Instant) throws(EngineError) -> [Event] {
        let now = self.now(instant)
        let onCopy = self.isOverdue(at: now)
        return try self.transact(at: now, onCopy: onCopy) { engine, now, events throws(EngineError) in
            try engine.perform(command, at: now, &events)
        }
    }

    /// Changes several toasts, all or none; a toast that is dismissed by the change of another one stays dismissed.
    ///
    /// - Throws: Why the change of one of them was refused.
    public mutating func update(
        _ ids: [ToastID],
        _ patch: ToastPatch,
        at instant: Instant
    ) throws(EngineError) -> [Event] {
        var trial = self
        var events: [Event] = []
        for id in ids where trial.toast(id)?.state != .dismissed {
            events += try trial.apply(.update(id, patch, ifRevision: nil), at: instant)
        }
        self = trial
        return events
    }

    /// Runs what is overdue; to be called at ``nextDeadline``.
    public mutating func tick(at instant: Instant) -> [Event] {
        self.transact(at: self.now(instant), onCopy: false) { _, _, _ in }
    }

    /// An instant in whole milliseconds, and never before the last event.
    func now(_ instant: Instant) -> Instant { max(instant.wholeMilliseconds, self.lastInstant) }

    /// Runs what is overdue, makes a change, and presents what can come on screen: all of it or nothing.
    ///
    /// With `onCopy` the change is made on a copy, so that a change that is refused halfway has no effect. If a
    /// `configured` event is owed, a copy first makes that event, then the change. If the change makes no event, the
    /// copy is dropped, and the engine makes the change alone.
    mutating func transact<Failure: Error>(
        at now: Instant,
        onCopy: Bool,
        _ change: (inout Self, Instant, inout [Event]) throws(Failure) -> Void
    ) throws(Failure) -> [Event] {
        guard !self.owesConfiguration else { return try self.carryOutAfterConfigured(change, at: now) }
        guard onCopy else { return try self.carryOut(change, at: now) }
        var trial = self
        let events = try trial.carryOut(change, at: now)
        self = trial
        return events
    }

    mutating func carryOut<Failure: Error>(
        _ change: (inout Self, Instant, inout [Event]) throws(Failure) -> Void,
        at now: Instant
    ) throws(Failure) -> [Event] {
        var events: [Event] = []
        self.runOverdue(at: now, &events)
        try change(&self, now, &events)
        self.presentNext(at: now, &events)
        return events
    }

    private mutating func perform(_ command: Command, at now: Instant, _ events: inout [Event]) throws(EngineError) {
        switch command {
        case .update(let id, let patch, let revision): try self.update(id, patch, revision, at: now, &events)
        case .dismiss(let id, let reason):
            let toast = try self.known(id)
            guard toast.state != .dismissed else { break }
            // A queued toast is on no screen, so only a program can dismiss it.
            guard toast.state == .presented || !reason.isPersonal else { throw .toastNotPresented }
            self.dismiss(toast, reason, at: now, &events)
        case .act(let id, let action): try self.act(id, action, at: now, &events)
        case .clear: self.dismissAll(.cleared, at: now, &events) { _ in true }
        case .dismissAll(let filter): self.dismissAll(.api, at: now, &events) { filter.matches($0.content) }
        case .hold(let id, let holder, let lease): try self.hold(id, holder, lease, at: now, &events)
        case .release(let id, let holder):
            _ = try self.known(id)
            self.release(id, holder, at: now, &events)
        case .configure(let settings): self.configure(settings, at: now, &events)
        case .audience(let audience): self.setAudience(audience, at: now, &events)
        }
    }

    /// Folds an event and collects it: the only way in which durable state changes.
    mutating func emit(_ kind: Event.Kind, at instant: Instant, _ events: inout [Event]) {
        let event = Event(offset: self.offset.next, at: instant, kind: kind)
        self.fold(event)
        events.append(event)
    }

    /// Dismisses a toast that is queued, or on screen; its exit has the length of the settings unless one is given.
    mutating func dismiss(
        _ id: ToastID,
        _ reason: DismissReason,
        action: String? = nil,
        exit: Interval? = nil,
        at instant: Instant,
        _ events: inout [Event]
    ) {
        guard let toast = self.toast(id) else { return }
        self.dismiss(toast, reason, action: action, exit: exit, at: instant, &events)
    }

    /// Dismisses a toast that the caller has looked up.
    mutating func dismiss(
        _ toast: Toast,
        _ reason: DismissReason,
        action: String? = nil,
        exit: Interval? = nil,
        at instant: Instant,
        _ events: inout [Event]
    ) {
        let exit = toast.state == .presented ? exit ?? self.effective.animations.exit.length : .zero
        let data = toast.content.box.data
        self.emit(.dismissed(toast.id, reason: reason, action: action, exit: exit, data: data), at: instant, &events)
    }

    /// Ends a hold, if there is one.
    mutating func release(_ id: ToastID, _ holder: String, at instant: Instant, _ events: inout [Event]) {
        guard let slot = self.slot(id), slot.holds.contains(where: { $0.holder == holder }) else { return }
        let remaining = slot.countdown.remaining(at: instant)
        let isHeld = slot.holds.count > 1
        self.emit(.released(id, holder: holder, remaining: remaining, isHeld: isHeld), at: instant, &events)
    }

    /// Ends the first of a toast's holds to expire.
    mutating func endFirstHold(of id: ToastID, at instant: Instant, _ events: inout [Event]) {
        guard let hold = self.slot(id)?.firstHold else { return }
        self.release(id, hold.holder, at: instant, &events)
    }
}

extension Engine {
    private func known(_ id: ToastID) throws(EngineError) -> Toast {
        guard let toast = self.toast(id) else { throw .toastNotFound }
        return toast
    }

    private mutating func update(
        _ id: ToastID,
        _ patch: ToastPatch,
        _ revision: Int?,
        at now: Instant,
        _ events: inout [Event]
    ) throws(EngineError) {
        var toast = try self.known(id)
        guard toast.state != .dismissed else { throw .toastDismissed }
        guard revision == nil || revision == toast.revision else { throw .revisionMismatch(current: toast.revision) }
        let content: ToastContent
        do {
            var draft = try toast.content.draft.applying(patch)
            // A toast on screen does not wait, and a `notBefore` in the past has no effect.
            if let start = draft.box.notBefore, toast.state == .presented || start <= now {
                draft.details.notBefore = nil
            }
            content = self.lexicon.resolved(ToastContent(draft, self.effective))
        } catch {
            throw .invalid(error)
        }
        let isShown = toast.state == .presented
        let namesTime = isShown && patch.namesDuration
        let (new, old) = (content.box, toast.content.box)
        let isOtherWork = new.progress?.completion != old.progress?.completion || new.isPending != old.isPending
        let restarts = namesTime || isShown && (isOtherWork || self.changesEnd(of: toast, to: content))
        let changed = content.changes(from: toast.content, including: namesTime ? "duration" : nil)
        guard !changed.isEmpty else { return }
        if !isShown { try self.checkRoom(for: content, replacing: toast.content) }
        toast.content = content
        toast.revision += 1
        let update = Update(
            changed: changed,
            remaining: restarts ? self.timeOnScreen(of: toast, at: now) : self.remaining(of: id, at: now),
            isHeld: self.isHeld(id),
            // Without its `notBefore`, the toast joins the queue as the newest, as it would at that instant.
            moved: !isShown && old.notBefore != nil && new.notBefore == nil,
            announcement: isShown && Self.isSpoken(changed) ? self.announcement(of: toast) : nil
        )
        self.emit(.updated(toast, update), at: now, &events)
        self.yieldToNewest(at: now, &events)
    }

    private mutating func act(
        _ id: ToastID,
        _ action: String,
        at now: Instant,
        _ events: inout [Event]
    ) throws(EngineError) {
        let toast = try self.known(id)
        switch toast.state {
        case .queued: throw .toastNotPresented
        case .dismissed where toast.action == action: return
        case .dismissed: throw .toastDismissed
        case .presented: break
        }
        let details = toast.content.details
        guard let pressed = details.actions.first(where: { $0.id == action }) else { throw .actionNotFound }
        guard !pressed.isPending else { return }
        self.emit(.acted(id, action: action, data: details.data), at: now, &events)
        switch pressed.dismissal {
        case .atOnce: self.dismiss(id, .action, action: action, at: now, &events)
        case .never: break
        case .whenDone: self.wait(for: pressed, of: toast, at: now, &events)
        }
    }

    private mutating func dismissAll(
        _ reason: DismissReason,
        at now: Instant,
        _ events: inout [Event],
        where isMeant: (Toast) -> Bool
    ) {
        for toast in self.presented + self.queued where isMeant(toast) {
            self.dismiss(toast.id, reason, at: now, &events)
        }
    }

    private mutating func hold(
        _ id: ToastID,
        _ holder: String,
        _ lease: Interval,
        at now: Instant,
        _ events: inout [Event]
    ) throws(EngineError) {
        switch try self.known(id).state {
        case .queued: throw .toastNotPresented
        case .dismissed: throw .toastDismissed
        case .presented: break
        }
        guard (1...Self.maximumHolderLength).contains(holder.utf8.count) else {
            throw .invalid(ValidationError("/holder", "One to \(Self.maximumHolderLength) bytes are expected."))
        }
        guard let slot = self.slot(id) else { return }
        let left = slot.holdTimeLeft(of: holder, at: now)
        // The holder has no time left; its hold, if there is one, ends at this instant.
        guard left > .zero else { return }
        let lease = min(left, Interval(milliseconds: min(max(1, lease.milliseconds), Self.maximumLease.milliseconds)))
        guard !slot.holds.contains(where: { $0.holder == holder && $0.until == now + lease }) else { return }
        let others = slot.holds.filter { $0.holder != holder }
        if others.count >= Self.maximumHolders, let first = others.min(by: { $0.until < $1.until }) {
            self.release(id, first.holder, at: now, &events)
        }
        let remaining = slot.countdown.remaining(at: now)
        self.emit(.held(id, holder: holder, remaining: remaining, lease: lease), at: now, &events)
    }

    private mutating func configure(_ settings: Settings, at now: Instant, _ events: inout [Event]) {
        guard settings != self.settings else { return }
        self.emit(.configured(settings), at: now, &events)
        self.yieldToNewest(at: now, &events)
    }
}
