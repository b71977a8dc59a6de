// What a toast on screen waits for beside its time: a person who needs all the time there is, and work that goes on.

extension Engine {
    /// How long it takes until somebody who uses assistive technology has left, and is not only coming back: a long-poll goes
    /// with each answer, and a page that is loaded anew within a second or two.
    static let attendanceGrace = Interval(seconds: 2)

    /// Takes note of who watches, and gives toasts that require an interaction the time that goes with it.
    ///
    /// They have no end while somebody is attached who uses assistive technology; when the last one has left, they have their
    /// normal time. A restart is no leaving: as long as nobody has come back they stay as they are.
    mutating func attend(_ audience: Audience, at now: Instant, _ events: inout [Event]) {
        let wasAssistive = self.audience.isAssistive
        self.audience = audience
        if audience.isAssistive {
            self.attendanceEnd = nil
            for (toast, slot) in self.insisting where slot.countdown != .indefinite {
                guard self.timeOnScreen(of: toast, at: now) == nil else { continue }
                self.emit(.updated(toast, Update(changed: [], remaining: nil)), at: now, &events)
            }
        } else if self.attendanceEnd == nil, wasAssistive || audience.isAttached {
            let isAbout = self.insisting.contains { $1.countdown == .indefinite && self.time(for: $0.content) != nil }
            if isAbout { self.attendanceEnd = now + Self.attendanceGrace }
        }
    }

    /// Gives toasts that require an interaction their normal time, counted from when the last one left who needs more.
    mutating func endAttendance(at instant: Instant, _ events: inout [Event]) {
        self.attendanceEnd = nil
        for (toast, slot) in self.insisting where slot.countdown == .indefinite {
            guard let time = self.timeOnScreen(of: toast, at: instant) else { continue }
            let remaining = slot.holds.isEmpty ? max(.zero, time - Self.attendanceGrace) : time
            self.emit(.updated(toast, Update(changed: [], remaining: remaining)), at: instant, &events)
        }
    }

    /// The toasts on screen that require an interaction, in the order in which they stand there.
    private var insisting: [(Toast, Slot)] {
        self.slots.compactMap { slot in
            guard let toast = self.toast(slot.id), toast.content.box.requiresInteraction else { return nil }
            return (toast, slot)
        }
    }

    /// Shows that an action was pressed whose work goes on; the toast stays until its publisher says more.
    mutating func wait(for action: ToastAction, of toast: Toast, at now: Instant, _ events: inout [Event]) {
        var (toast, draft) = (toast, toast.content.draft)
        draft.details.actions = draft.details.actions.map { $0.id == action.id ? $0.pending : $0 }
        // The draft of a toast leaves nothing open that settings would have to say.
        toast.content = ToastContent(draft, self.effective)
        toast.revision += 1
        let remaining = self.timeOnScreen(of: toast, at: now)
        self.emit(.updated(toast, Update(changed: ["actions"], remaining: remaining)), at: now, &events)
    }

    /// What makes room first for a newer toast, where the newest takes the place of what was on screen long enough.
    @inline(__always)
    var nextReplacement: QueueKey<Deadline>? {
        var first: QueueKey<Deadline>?
        for lane in self.lanes.indices {
            guard let newest = self.lanes[lane].queue.last else { continue }
            for slot in self.lanes[lane].presented where slot.sequence < newest.sequence {
                let deadline = Deadline(at: self.readableUntil(slot), what: .replacement)
                let ticket = QueueKey(key: deadline, sequence: slot.sequence, id: slot.id)
                first = first.map { min($0, ticket) } ?? ticket
            }
        }
        return first
    }

    /// Until when a toast on screen stays at least, though a newer one waits for its place.
    func readableUntil(_ slot: Slot) -> Instant {
        (self.toasts[slot.id]?.toast.presentedAt ?? self.lastInstant) + self.effective.minimumVisible
    }
}
