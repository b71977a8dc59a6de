extension Engine {
    /// Applies an event to the state; folding the stored events rebuilds a channel.
    ///
    /// An event about an unknown toast, or one that is in another state than the event expects, changes only the offset
    /// and the last instant.
    public mutating func fold(_ event: Event) {
        self.offset = event.offset
        self.lastInstant = max(self.lastInstant, event.at)
        switch event.kind {
        case .enqueued(let toast):
            self.foldEnqueued(toast)
        case .presented(let toast, let presentation):
            self.foldPresented(toast, Countdown(presentation.remaining, from: event.at, isHeld: false))
        case .updated(let toast, let update):
            self.foldUpdated(toast, update, event)
        case .acted:
            break
        case .dismissed(let id, let reason, let action, let exit, _):
            self.foldDismissed(id, reason, action, exit, at: event.at)
        case .held(let id, let holder, let remaining, let lease):
            self.changeSlot(of: id) { slot in
                slot.hold(by: holder, from: event.at, until: event.at + lease)
                slot.countdown = Countdown(remaining, from: event.at, isHeld: true)
            }
        case .released(let id, let holder, let remaining, _):
            self.changeSlot(of: id) { slot in
                slot.release(by: holder, at: event.at)
                slot.countdown = Countdown(remaining, from: event.at, isHeld: !slot.holds.isEmpty)
            }
        case .configured(let settings):
            self.foldConfigured(settings)
        }
    }

    private mutating func foldEnqueued(_ toast: Toast) {
        guard self.toasts[toast.id] == nil, toast.state == .queued else { return }
        let lane = self.lane(of: toast.content)
        let entry = Entry(toast: toast, sequence: self.offset, since: toast.createdAt, lane: lane)
        self.toasts[toast.id] = entry
        self.lineUp(entry)
    }

    private mutating func foldPresented(_ toast: Toast, _ countdown: Countdown) {
        guard let index = self.toasts.index(forKey: toast.id), toast.state == .presented,
            let wait = self.toasts.values[index].present(toast)
        else { return }
        self.leaveQueue(wait)
        let slot = Slot(id: toast.id, sequence: wait.sequence, place: self.offset, countdown: countdown)
        self.lanes[wait.lane].show(slot)
    }

    private mutating func foldUpdated(_ toast: Toast, _ update: Update, _ event: Event) {
        guard var entry = self.toasts[toast.id], entry.toast.state == toast.state else { return }
        switch entry.toast.state {
        case .queued:
            self.leaveQueue(entry.wait)
            entry.toast = toast
            entry.lane = self.lane(of: toast.content)
            if update.moved { (entry.sequence, entry.since) = (event.offset, event.at) }
            self.toasts[toast.id] = entry
            self.lineUp(entry)
        case .presented:
            entry.toast = toast
            if update.moved { (entry.sequence, entry.since) = (event.offset, event.at) }
            self.toasts[toast.id] = entry
            guard let position = self.lanes[entry.lane].position(of: toast.id) else { return }
            self.lanes[entry.lane].change(at: position) { slot in
                if update.moved { (slot.sequence, slot.place) = (event.offset, event.offset) }
                slot.countdown = Countdown(update.remaining, from: event.at, isHeld: !slot.holds.isEmpty)
            }
        case .dismissed:
            break
        }
    }

    private mutating func foldDismissed(
        _ id: ToastID,
        _ reason: DismissReason,
        _ action: String?,
        _ exit: Interval,
        at instant: Instant
    ) {
        guard let index = self.toasts.index(forKey: id),
            let (state, lane) = self.toasts.values[index].dismiss(reason, action: action, at: instant)
        else { return }
        if state == .queued {
            self.leaveQueue(self.toasts.values[index].wait)
        } else if let position = self.lanes[lane].position(of: id) {
            let freeAt = instant + exit + (self.effective.mode.hasPause ? self.effective.pause : .zero)
            self.lanes[lane].remove(at: position)
            self.lanes[lane].freeAt = max(self.lanes[lane].freeAt, freeAt)
        }
        if !self.endings.open.isEmpty { self.endings.note(self.toasts.values[index].toast) }
        self.history.append(id)
        if self.history.count > Self.maximumHistory {
            self.toasts[self.history.removeFirst()] = nil
        }
    }

    /// Applies settings; a new queue mode or other lanes also apply to existing toasts.
    ///
    /// Toasts on screen stay there, even if the new settings would not have presented them. When the lanes change, each
    /// new one is busy until all of the old ones would have been free.
    mutating func foldConfigured(_ settings: Settings) {
        let (mode, lanes) = (self.effective.mode, self.effective.lanes)
        self.settings = settings
        guard self.effective.mode != mode || self.effective.lanes != lanes else { return }
        let waiting = self.queueOrder.sorted { $0.sequence < $1.sequence }
        for lane in self.lanes.indices { self.lanes[lane].queue = Ordered() }
        if self.effective.lanes != lanes { self.divideScreen() }
        for key in self.delayed.elements { self.changeLane(of: key.id) }
        for key in waiting {
            guard let entry = self.changeLane(of: key.id) else { continue }
            self.lanes[entry.lane].queue.insert(self.place(of: entry.wait))
        }
    }

    /// Makes the lanes of the settings, and moves each toast on screen to the lane of its placement.
    private mutating func divideScreen() {
        let (shown, freeAt) = (self.slots, self.lanes.map(\.freeAt))
        var lane = Lane()
        lane.freeAt = freeAt.max() ?? lane.freeAt
        self.lanes = Array(repeating: lane, count: self.effective.lanes.count)
        for slot in shown {
            guard let entry = self.changeLane(of: slot.id) else { continue }
            self.lanes[entry.lane].show(slot)
        }
    }

    @discardableResult
    private mutating func changeLane(of id: ToastID) -> Entry? {
        guard var entry = self.toasts[id] else { return nil }
        entry.lane = self.lane(of: entry.toast.content)
        self.toasts[id] = entry
        return entry
    }
}

extension Engine {
    /// Puts a toast into the queue of its lane, or among the delayed ones until its `notBefore`.
    mutating func lineUp(_ entry: Entry) {
        let wait = entry.wait
        if let arrival = wait.arrival { return self.delayed.insert(arrival) }
        self.lanes[wait.lane].queue.insert(self.place(of: wait))
        if let expiry = wait.expiry { self.expiries.insert(expiry) }
    }

    private mutating func leaveQueue(_ wait: Entry.Wait) {
        if let arrival = wait.arrival { return self.delayed.remove(arrival) }
        self.lanes[wait.lane].queue.remove(self.place(of: wait))
        if let expiry = wait.expiry { self.expiries.remove(expiry) }
    }

    private mutating func changeSlot(of id: ToastID, _ change: (inout Slot) -> Void) {
        guard let entry = self.toasts[id], entry.toast.state == .presented,
            let position = self.lanes[entry.lane].position(of: id)
        else { return }
        self.lanes[entry.lane].change(at: position, change)
    }

    private func place(of wait: Entry.Wait) -> QueueKey<Int> {
        QueueKey(key: self.effective.mode.rank(of: wait.role), sequence: wait.sequence, id: wait.id)
    }
}

extension Toast {
    /// Marks the toast as dismissed, unless it was dismissed before.
    mutating func dismiss(_ reason: DismissReason, action: String?, at instant: Instant) {
        guard self.state != .dismissed else { return }
        self.state = .dismissed
        self.dismissedAt = instant
        self.dismissReason = reason
        self.action = action
    }
}

extension Engine.Entry {
    /// Marks the toast as dismissed; returns its former state and its lane, `nil` when it was dismissed before.
    ///
    /// In place, because taking an entry out copies it.
    fileprivate mutating func dismiss(
        _ reason: DismissReason,
        action: String?,
        at instant: Instant
    ) -> (state: ToastState, lane: Int)? {
        let state = self.toast.state
        guard state != .dismissed else { return nil }
        self.toast.dismiss(reason, action: action, at: instant)
        return (state, self.lane)
    }

    /// Marks a queued toast as presented, in place; returns how it waited, `nil` when it was not queued.
    fileprivate mutating func present(_ toast: Toast) -> Wait? {
        guard self.toast.state == .queued else { return nil }
        defer { self.toast = toast }
        return self.wait
    }

    /// How a toast waits: what is needed to find it in its queue.
    fileprivate struct Wait {
        let id: ToastID
        let role: Role
        let sequence: Offset
        let lane: Int
        /// When it expires; `nil` also while it waits for its `notBefore`.
        let expiry: QueueKey<Deadline>?
        /// When it joins the queue of its lane; `nil` when it is there.
        let arrival: QueueKey<Deadline>?
    }

    fileprivate var wait: Wait {
        func key(_ kind: Deadline.Kind, at instant: Instant) -> QueueKey<Deadline> {
            QueueKey(key: Deadline(at: instant, kind: kind), sequence: self.sequence, id: self.toast.id)
        }
        let arrival = self.toast.content.box.notBefore.map { key(.arrival, at: $0) }
        let expiresAfter = arrival == nil ? self.toast.content.box.expiresAfter : nil
        return Wait(
            id: self.toast.id,
            role: self.toast.content.role,
            sequence: self.sequence,
            lane: self.lane,
            expiry: expiresAfter.map { key(.expiry, at: self.since + $0) },
            arrival: arrival
        )
    }
}
