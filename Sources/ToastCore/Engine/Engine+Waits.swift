// What keeps a toast on screen, apart from its duration: an assistive audience, pending work, and the minimum time to
// read it. And what keeps it off the screen: its `notBefore`.

extension Engine {
    /// How long an assistive viewer has to be away to count as gone: a long-poll leaves with each answer, and a page
    /// that is reloaded is back within a second or two.
    static let assistiveGrace = Interval(seconds: 2)

    /// Sets the audience, and the time of toasts that require an interaction.
    ///
    /// They have no end while an assistive viewer is attached, and their normal time when the last one has left. A
    /// restart does not count as leaving: until a viewer attaches again they stay as they are.
    mutating func setAudience(_ audience: Audience, at now: Instant, _ events: inout [Event]) {
        let wasAssistive = self.audience.isAssistive
        self.audience = audience
        if audience.isAssistive {
            self.assistiveEnd = nil
            for (toast, slot) in self.insisting where slot.countdown != .indefinite {
                guard self.timeOnScreen(of: toast, at: now) == nil else { continue }
                self.change(toast, remaining: nil, at: now, &events)
            }
        } else if self.assistiveEnd == nil, wasAssistive || audience.isAttached {
            let isAbout = self.insisting.contains { $1.countdown == .indefinite && self.time(for: $0.content) != nil }
            if isAbout { self.assistiveEnd = now + Self.assistiveGrace }
        }
    }

    /// Gives toasts that require an interaction their normal time, counted from when the last assistive viewer left.
    mutating func endAssistance(at instant: Instant, _ events: inout [Event]) {
        self.assistiveEnd = nil
        for (toast, slot) in self.insisting where slot.countdown == .indefinite {
            guard let time = self.timeOnScreen(of: toast, at: instant) else { continue }
            let remaining = slot.holds.isEmpty ? max(.zero, time - Self.assistiveGrace) : time
            self.change(toast, remaining: remaining, at: instant, &events)
        }
    }

    /// Sets the remaining time of a toast on screen.
    private mutating func change(
        _ toast: Toast,
        _ changed: [String] = [],
        remaining: Interval?,
        at instant: Instant,
        _ events: inout [Event]
    ) {
        let update = Update(changed: changed, remaining: remaining, isHeld: self.isHeld(toast.id))
        self.emit(.updated(toast, update), at: instant, &events)
    }

    /// The toasts on screen that require an interaction, in their order.
    private var insisting: [(Toast, Slot)] {
        self.slots.compactMap { slot in
            guard let toast = self.toast(slot.id), toast.content.box.requiresInteraction else { return nil }
            return (toast, slot)
        }
    }

    /// Whether a change of `requiresInteraction` gives a toast on screen an end, or takes its end away.
    func changesEnd(of toast: Toast, to content: ToastContent) -> Bool {
        guard content.box.requiresInteraction != toast.content.box.requiresInteraction, let slot = self.slot(toast.id)
        else { return false }
        return (self.time(for: content) == nil) != (slot.countdown == .indefinite)
    }

    /// Marks an action as pending: it was pressed, and its toast stays until the publisher updates it.
    mutating func wait(for action: ToastAction, of toast: Toast, at now: Instant, _ events: inout [Event]) {
        var (toast, draft) = (toast, toast.content.draft)
        draft.details.actions = draft.details.actions.map { $0.id == action.id ? $0.with(isPending: true) : $0 }
        // The draft of a toast is complete, so the settings add nothing.
        toast.content = ToastContent(draft, self.effective)
        toast.revision += 1
        self.change(toast, ["actions"], remaining: self.timeOnScreen(of: toast, at: now), at: now, &events)
    }

    /// Lets a toast whose `notBefore` has come join the queue as the newest: it waits from now on.
    mutating func endDelay(of id: ToastID, at instant: Instant, _ events: inout [Event]) {
        guard var toast = self.toast(id) else { return }
        var draft = toast.content.draft
        draft.details.notBefore = nil
        // The draft of a toast is complete, so the settings add nothing.
        toast.content = ToastContent(draft, self.effective)
        toast.revision += 1
        self.emit(.updated(toast, Update(changed: ["notBefore"], remaining: nil, moved: true)), at: instant, &events)
        self.yieldToNewest(at: instant, &events)
    }

    /// The first toast on screen that has to make room for a newer one, in the mode `replaceAll`.
    @inline(__always)
    var nextReplacement: QueueKey<Deadline>? {
        var first: QueueKey<Deadline>?
        for lane in self.lanes.indices {
            guard let newest = self.lanes[lane].queue.last else { continue }
            for slot in self.lanes[lane].presented where slot.sequence < newest.sequence {
                let deadline = Deadline(at: self.readableUntil(slot), kind: .replacement)
                let key = QueueKey(key: deadline, sequence: slot.sequence, id: slot.id)
                first = first.map { min($0, key) } ?? key
            }
        }
        return first
    }

    /// Until when a toast stays on screen at least, even when a newer one waits for its place.
    func readableUntil(_ slot: Slot) -> Instant {
        (self.toasts[slot.id]?.toast.presentedAt ?? self.lastInstant) + self.effective.minimumVisible
    }
}
