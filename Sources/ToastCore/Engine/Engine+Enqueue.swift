extension Engine {
    /// Enqueues toasts in order, all or none.
    ///
    /// A toast whose id is known is not enqueued again. Unless `deduplication` is `none`, neither is a duplicate of a
    /// living toast in its lane; with `identity` it updates that toast. Toasts with a `notBefore` are not compared. A
    /// toast with `whenPresent: replace` updates the living toast with its reuse identifier, if any, in any lane.
    ///
    /// - Throws: Why they were refused; nothing has changed then.
    public mutating func enqueue(_ toasts: [NewToast], at instant: Instant) throws(EngineError) -> Publication {
        var places: [Place] = []
        // The toasts of a batch before the newest of them ends the others.
        var sent: [Toast] = []
        places.reserveCapacity(toasts.count)
        if toasts.count > 1 { self.toasts.reserveCapacity(self.toasts.count + toasts.count) }
        let now = self.now(instant)
        let mayRefuse = self.effective.mode.refusesWhenBusy || self.isFull(with: toasts.count)
        let onCopy = toasts.count > 1 && mayRefuse || self.isOverdue(at: now)
        let events = try self.transact(at: now, onCopy: onCopy) { engine, now, events throws(EngineError) in
            // `transact` may call this twice; the second call starts afresh.
            places.removeAll(keepingCapacity: true)
            for toast in toasts {
                do throws(EngineError) {
                    places.append(try engine.enqueue(toast, at: now, &events))
                } catch .queueFull(let capacity) where engine.countedToasts(of: places) >= capacity {
                    // Even an empty queue could not hold the batch.
                    throw .batchTooLong(capacity: capacity)
                }
            }
            let endsOthers = places.count > 1 && engine.effective.mode.keepsOnlyNewest
            sent = endsOthers ? places.compactMap { engine.toasts[$0.id]?.toast } : []
            engine.yieldToNewest(at: now, &events)
        }
        let remembered = places.compactMap { self.toasts[$0.id]?.toast }
        let isWhole = remembered.count == places.count
        return Publication(
            toasts: isWhole ? remembered : self.toasts(at: places, sentAs: sent, after: events),
            known: places.filter { !$0.isNew }.map(\.id),
            isNew: places.contains(where: \.isNew),
            events: events
        )
    }

    /// The toast that a sent one became, and whether it is new.
    private typealias Place = (id: ToastID, isNew: Bool)

    /// The toasts of a batch as they are now, although the channel has forgotten some of them: a batch can end more
    /// toasts than ``maximumHistory``.
    private func toasts(at places: [Place], sentAs sent: [Toast], after events: [Event]) -> [Toast] {
        var ended = Dictionary(sent.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for event in events {
            guard case .dismissed(let id, let reason, let action, _, _) = event.kind else { continue }
            ended[id]?.dismiss(reason, action: action, at: event.at)
        }
        return places.compactMap { self.toasts[$0.id]?.toast ?? ended[$0.id] }
    }

    /// In a mode that keeps only the newest toast, dismisses the older ones: queued ones at once, those on screen with
    /// their exit unless the newest takes their place.
    ///
    /// With `replaceAll` a toast stays for ``EffectiveSettings/minimumVisible`` first, so that it can be read. The exit
    /// starts once: a toast that comes while it runs replaces the queued one, so a fast stream never starves the screen
    /// (NoticeUI bug 3 in `docs/engine.md`).
    mutating func yieldToNewest(at now: Instant, _ events: inout [Event]) {
        let mode = self.effective.mode
        guard mode.keepsOnlyNewest else { return }
        for lane in self.lanes {
            guard let last = lane.queue.last else { continue }
            let isNewest = lane.presented.allSatisfy { $0.sequence < last.sequence }
            for waiting in isNewest ? lane.queue.elements.dropLast() : lane.queue.elements {
                self.dismiss(waiting.id, .replaced, at: now, &events)
            }
            guard isNewest, !mode.swapsInPlace else { continue }
            for slot in lane.presented where self.readableUntil(slot) <= now {
                self.dismiss(slot.id, .replaced, at: now, &events)
            }
        }
    }

    private var capacity: Int { min(self.effective.capacity, self.queueLimit) }

    /// Whether `count` more toasts would exceed the capacity.
    ///
    /// A mode that keeps only the newest counts only toasts with a `notBefore`, because of the others only one stays.
    @inline(__always)
    private func isFull(with count: Int) -> Bool {
        let length = self.effective.mode.keepsOnlyNewest ? self.delayed.count : self.queueLength
        return length + count > self.capacity
    }

    /// Throws when content needs a place in the queue and there is none.
    ///
    /// In a mode that counts only toasts with a `notBefore`, content needs a place if it has a `notBefore` and `old`
    /// has none. In other modes, only a new toast needs a place.
    @inline(__always)
    func checkRoom(for content: ToastContent, replacing old: ToastContent? = nil) throws(EngineError) {
        let countsDelayedOnly = self.effective.mode.keepsOnlyNewest
        if countsDelayedOnly, content.box.notBefore == nil { return }
        if let old, !countsDelayedOnly || old.box.notBefore != nil { return }
        guard !self.isFull(with: 1) else { throw .queueFull(capacity: self.capacity) }
    }

    /// How many new toasts of a batch count in the capacity.
    private func countedToasts(of places: [Place]) -> Int {
        let countsDelayedOnly = self.effective.mode.keepsOnlyNewest
        return places.count { place in
            place.isNew && (!countsDelayedOnly || self.toasts[place.id]?.toast.content.box.notBefore != nil)
        }
    }

    /// The content of a draft under this channel's settings; not mutating, so that the settings are not copied.
    private func content(of draft: ToastDraft, at now: Instant) -> ToastContent {
        guard let start = draft.box.notBefore, start <= now else {
            return self.lexicon.resolved(ToastContent(draft, self.effective))
        }
        var draft = draft
        draft.details.notBefore = nil
        return self.lexicon.resolved(ToastContent(draft, self.effective))
    }

    private mutating func enqueue(
        _ new: NewToast,
        at now: Instant,
        _ events: inout [Event]
    ) throws(EngineError) -> Place {
        guard self.toasts[new.id] == nil else { return Place(id: new.id, isNew: false) }
        let content = self.content(of: new.draft, at: now)
        let isDelayed = content.box.notBefore != nil
        if new.draft.replacesPresent, let present = self.replaceable(by: content) {
            try self.checkRoom(for: content, replacing: present.toast.content)
            self.refresh(present, with: content, at: now, &events)
            return Place(id: present.toast.id, isNew: false)
        }
        if self.effective.deduplication != .none, !isDelayed, let duplicate = self.duplicate(of: content) {
            // With `equal`, a duplicate changes nothing (Toaster).
            if self.effective.deduplication == .identity {
                self.refresh(duplicate, with: content, at: now, &events)
            }
            return Place(id: duplicate.toast.id, isNew: false)
        }
        if self.effective.mode.refusesWhenBusy, !isDelayed, let occupant = self.lanes[self.lane(of: content)].occupant {
            throw .toastAlreadyPresented(occupant)
        }
        try self.checkRoom(for: content)
        let toast = Toast(id: new.id, channel: self.channel, content: content, createdAt: now)
        self.emit(.enqueued(toast), at: now, &events)
        return Place(id: new.id, isNew: true)
    }

    /// The living toast of the same lane that new content duplicates: the best match, and of several the newest.
    ///
    /// Where nothing happens to the duplicate (`equal`) and only the newest toast stays, the older ones do not count:
    /// they are about to end.
    private func duplicate(of content: ToastContent) -> Entry? {
        let deduplication = self.effective.deduplication
        let lane = self.lanes[self.lane(of: content)]
        if deduplication == .equal, self.effective.mode.keepsOnlyNewest {
            let newest = self.newest(of: lane)
            return newest.flatMap { deduplication.likeness(of: content, to: $0.toast.content) == nil ? nil : $0 }
        }
        var best: (likeness: Deduplication.Likeness, entry: Entry)?
        func consider(_ id: ToastID) {
            guard let entry = self.toasts[id],
                let likeness = deduplication.likeness(of: content, to: entry.toast.content)
            else { return }
            let isBetter = best.map { best in
                (best.likeness.rawValue, best.entry.sequence) < (likeness.rawValue, entry.sequence)
            }
            if isBetter ?? true { best = (likeness, entry) }
        }
        for slot in lane.presented { consider(slot.id) }
        for waiting in lane.queue.elements { consider(waiting.id) }
        return best?.entry
    }

    /// The newest toast of a lane, on screen or waiting.
    private func newest(of lane: Lane) -> Entry? {
        let living = lane.presented.map(\.id) + lane.queue.elements.map(\.id)
        return living.compactMap { self.toasts[$0] }.max { $0.sequence < $1.sequence }
    }

    /// The living toast of any lane that new content replaces by its reuse identifier, of several the newest.
    ///
    /// Content with a `notBefore` replaces no toast on screen: re-arming a dead man's switch must not remove its alarm
    /// from the screen.
    private func replaceable(by content: ToastContent) -> Entry? {
        let name = content.box.reuseIdentifier
        let waits = content.box.notBefore != nil
        let living = self.slots.map(\.id) + self.queueOrder.map(\.id) + self.delayed.elements.map(\.id)
        return living.compactMap { self.toasts[$0] }
            .filter { entry in
                entry.toast.content.box.reuseIdentifier.hasSameBytes(as: name)
                    && !(waits && entry.toast.state == .presented)
            }
            .max { $0.sequence < $1.sequence }
    }

    /// Gives a toast that was sent again the new content, the newest place, and its full time.
    private mutating func refresh(
        _ duplicate: Entry,
        with content: ToastContent,
        at now: Instant,
        _ events: inout [Event]
    ) {
        var toast = duplicate.toast
        let isShown = toast.state == .presented
        let moves = isShown && self.lanes[duplicate.lane].presented.last?.id != toast.id
        let changed = content.changes(from: toast.content)
        toast.content = content
        toast.revision += 1
        let update = Update(
            changed: changed,
            remaining: isShown ? self.timeOnScreen(of: toast, at: now, moves: moves) : nil,
            isHeld: self.isHeld(toast.id),
            moved: true,
            announcement: isShown ? self.announcement(of: toast) : nil
        )
        self.emit(.updated(toast, update), at: now, &events)
    }
}
