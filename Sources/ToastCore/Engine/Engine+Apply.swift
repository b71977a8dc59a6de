extension Engine {
    /// Carries a command out, after all that was overdue, and tells what happened.
    ///
    /// Instants count in whole milliseconds, as events do. When it throws, nothing at all has changed; what was
    /// overdue is settled by the next command. Whoever wants errors to speak of now applies a ``Command/tick`` first.
    ///
    /// - Parameters:
    ///   - command: What to do.
    ///   - instant: Now; taken as the instant of the last event when it lies before that.
    /// - Returns: The events in order, their offsets without a gap; empty when nothing changed.
    /// - Throws: Why the command was refused.
    public mutating func apply(_ command: Command, at instant: Instant) throws(EngineError) -> [Event] {
        let now = max(instant.wholeMilliseconds, self.lastInstant)
        // Commands check before they emit, so only what settles ahead of a refusal would have to be taken back.
        guard command.mayFail, let deadline = self.nextDeadline, deadline <= now else {
            return try self.perform(command, at: now)
        }
        var trial = self
        let events = try trial.perform(command, at: now)
        self = trial
        return events
    }

    private mutating func perform(_ command: Command, at now: Instant) throws(EngineError) -> [Event] {
        var events: [Event] = []
        self.settle(at: now, &events)
        switch command {
        case .enqueue(let toasts): try self.enqueue(toasts, at: now, &events)
        case .update(let id, let patch, let revision): try self.update(id, patch, revision, at: now, &events)
        case .dismiss(let id, let reason):
            guard try self.known(id).state != .dismissed else { break }
            self.dismiss(id, reason, at: now, &events)
        case .act(let id, let action): try self.act(id, action, at: now, &events)
        case .clear: self.clear(at: now, &events)
        case .hold(let id, let holder, let lease): try self.hold(id, holder, lease, at: now, &events)
        case .release(let id, let holder):
            _ = try self.known(id)
            self.release(id, holder, at: now, &events)
        case .configure(let settings): self.configure(settings, at: now, &events)
        case .audience(let audience): self.audience = audience
        case .tick: break
        }
        self.presentNext(at: now, &events)
        return events
    }

    /// The one door to durable state: folds an event and collects it.
    mutating func emit(_ kind: Event.Kind, at instant: Instant, _ events: inout [Event]) {
        let event = Event(offset: self.offset.next, at: instant, kind: kind)
        self.fold(event)
        events.append(event)
    }

    /// Dismisses a toast that waits or is on screen.
    mutating func dismiss(
        _ id: ToastID,
        _ reason: DismissReason,
        action: String? = nil,
        at instant: Instant,
        _ events: inout [Event]
    ) {
        let exit = self.slot(id) == nil ? Interval.zero : self.effective.animations.exit.length
        let data = self.toast(id)?.content.details.data
        self.emit(.dismissed(id, reason: reason, action: action, exit: exit, data: data), at: instant, &events)
    }

    /// Ends a hold, if there is one.
    mutating func release(_ id: ToastID, _ holder: String, at instant: Instant, _ events: inout [Event]) {
        guard let slot = self.slot(id), slot.holds.contains(where: { $0.holder == holder }) else { return }
        let remaining = slot.countdown.remaining(at: instant)
        let isHeld = slot.holds.count > 1
        self.emit(.released(id, holder: holder, remaining: remaining, isHeld: isHeld), at: instant, &events)
    }
}

extension Engine {
    private func known(_ id: ToastID) throws(EngineError) -> Toast {
        guard let toast = self.toast(id) else { throw .toastNotFound }
        return toast
    }

    private mutating func enqueue(
        _ toasts: [Command.NewToast],
        at now: Instant,
        _ events: inout [Event]
    ) throws(EngineError) {
        let mode = self.effective.mode
        guard mode.keepsOnlyNewest || self.queueLength + toasts.count <= self.effective.capacity else {
            throw .queueFull(capacity: self.effective.capacity)
        }
        for new in toasts where self.toasts[new.id] == nil {
            let content = ToastContent(new.draft, self.effective)
            let toast = Toast(id: new.id, channel: self.channel, content: content, createdAt: now)
            self.emit(.enqueued(toast), at: now, &events)
        }
        self.yieldToNewest(at: now, &events)
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
            content = ToastContent(try toast.content.draft.applying(patch), self.effective)
        } catch {
            throw .invalid(error)
        }
        let restarts = toast.state == .presented && patch.namesDuration
        let changed = content.changes(from: toast.content, including: restarts ? "duration" : nil)
        guard !changed.isEmpty else { return }
        toast.content = content
        toast.revision += 1
        let remaining = restarts ? self.timeOnScreen(of: content) : self.remaining(of: id, at: now)
        self.emit(.updated(toast, changed: changed, remaining: remaining), at: now, &events)
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
        guard details.actions.contains(where: { $0.id == action }) else { throw .actionNotFound }
        self.emit(.acted(id, action: action, data: details.data), at: now, &events)
        self.dismiss(id, .action, action: action, at: now, &events)
    }

    private mutating func clear(at now: Instant, _ events: inout [Event]) {
        for slot in self.lane.presented { self.dismiss(slot.id, .cleared, at: now, &events) }
        for ticket in self.lane.queue.elements { self.dismiss(ticket.id, .cleared, at: now, &events) }
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
        let lease = Interval(milliseconds: min(max(1, lease.milliseconds), Self.maximumLease.milliseconds))
        guard !slot.holds.contains(Slot.Hold(holder: holder, until: now + lease)) else { return }
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

    /// Where only the newest counts, ends all others: those that wait at once, the one on screen with its exit.
    ///
    /// The exit starts once. What comes while it runs takes the place of what waits for its end, so that a fast
    /// stream never starves the screen (NoticeUI bug 3 in `docs/engine.md`).
    private mutating func yieldToNewest(at now: Instant, _ events: inout [Event]) {
        guard self.effective.mode.keepsOnlyNewest, self.lane.queue.last != nil else { return }
        for ticket in self.lane.queue.elements.dropLast() { self.dismiss(ticket.id, .replaced, at: now, &events) }
        for slot in self.lane.presented { self.dismiss(slot.id, .replaced, at: now, &events) }
    }
}
