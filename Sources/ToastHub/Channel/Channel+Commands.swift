import EventLoop
public import ToastCore

/// A toast that is held, and for how long.
public struct Hold: Hashable, Sendable {
    /// How much time the toast has left; nil when it has no end.
    public let remaining: Interval?

    /// How long the hold lasts unless it is renewed.
    public let lease: Interval
}

/// Toasts of a channel, and where it stood when they were read.
public struct Listing: Sendable {
    /// The toasts in their order.
    public let toasts: [Toast]

    /// Where to go on from.
    public let cursor: Cursor
}

/// A channel seen from outside.
public struct ChannelSummary: Sendable {
    /// The settings in force.
    public let settings: EffectiveSettings

    /// How many toasts are on screen.
    public let presented: Int

    /// How many wait.
    public let queued: Int

    /// Who listens, by transport.
    public let audience: [Transport: Int]

    /// Where the channel stands.
    public let cursor: Cursor
}

extension Channel {
    /// Adds toasts to the queue, all or none; returns when they are stored.
    ///
    /// - Parameters:
    ///   - drafts: What was sent.
    ///   - request: The key under which the sender may repeat this.
    ///   - answer: Makes the answer that a repetition gets.
    /// - Returns: The toasts as they stand now, or the answer of the first time.
    /// - Throws: `refused` when the queue is full, and what belongs to keys and the store.
    public func publish(
        _ drafts: [ToastDraft],
        as request: IdempotentRequest? = nil,
        answer: @Sendable (Acceptance) -> [UInt8] = { _ in [] }
    ) async throws(ChannelError) -> Publication {
        if !self.isLoaded { try await self.load() }
        guard let request else {
            let accepted = try self.admit(drafts, as: nil, answer: answer)
            try await self.settle()
            return .accepted(accepted.acceptance)
        }
        guard self.keysInUse.insert(request.key).inserted else { throw .keyInUse }
        defer { self.keysInUse.remove(request.key) }
        if let record = try await self.record(of: request) {
            guard record.fingerprint == request.fingerprint else { throw .keyReused }
            return .repeated(Repetition(record))
        }
        try await self.makeRoomForKey(of: request.key.owner)
        return try await self.accept(drafts, as: request, answer: answer)
    }

    /// Begins to add toasts to the queue as ``publish(_:as:answer:)`` does, if nothing has to be read for it.
    ///
    /// That is how most come, without ways from actor to actor and their frames.
    ///
    /// - Parameter drafts: What was sent.
    /// - Returns: How far they are, or why they are refused; nil when they have to go the other way.
    func publishAtOnce(_ drafts: [ToastDraft]) -> Result<Begun, ChannelError>? {
        guard self.isLoaded else { return nil }
        do throws(ChannelError) {
            let accepted = try self.admit(drafts, as: nil) { _ in [] }
            return .success(Begun(acceptance: accepted.acceptance, waiter: try self.beginToSettle()))
        } catch {
            return .failure(error)
        }
    }

    /// Changes members of a toast.
    public func update(_ id: ToastID, _ patch: ToastPatch, ifRevision: Int?) async throws(ChannelError) -> Toast {
        try await self.change(id, .update(id, patch, ifRevision: ifRevision))
    }

    /// Changes members of every toast that waits or is on screen and has a reuse identifier: of all of them, or of none.
    ///
    /// - Parameters:
    ///   - reuseIdentifier: The identifier.
    ///   - patch: What changes.
    ///   - revisions: The revisions of which each toast has to have one; nil when any will do.
    /// - Returns: The toasts as they are now, those on screen first.
    /// - Throws: `refused` when there is no such toast, or one of them cannot be changed so.
    public func updateAll(
        reuseIdentifier: String,
        _ patch: ToastPatch,
        ifRevision revisions: [Int]? = nil
    ) async throws(ChannelError) -> [Toast] {
        try await self.load()
        self.catchUp()
        let living = self.engine.presented + self.engine.queued
        let meant = living.filter { $0.reuseIdentifier == reuseIdentifier }
        let other = meant.first { toast in revisions.map { !$0.contains(toast.revision) } ?? false }
        do throws(EngineError) {
            guard !meant.isEmpty else { throw .toastNotFound }
            if let other { throw .revisionMismatch(current: other.revision) }
            let events = try self.consult { engine, now throws(EngineError) in
                try engine.update(meant.map(\.id), patch, at: now)
            }
            self.record(events)
        } catch {
            self.context.meter.count(error)
            throw .refused(error)
        }
        let toasts = meant.compactMap { self.engine.toast($0.id) }
        try await self.settle()
        return toasts
    }

    /// Dismisses a toast; the first dismissal wins, later ones get its outcome.
    ///
    /// - Parameters:
    ///   - id: The toast.
    ///   - reason: Why.
    ///   - revisions: The revisions of which the toast has to have one; nil when any will do.
    /// - Returns: The toast as it ended.
    /// - Throws: `refused` when there is no such toast, or it has another revision.
    public func dismiss(
        _ id: ToastID,
        _ reason: DismissReason,
        ifRevision revisions: [Int]? = nil
    ) async throws(ChannelError) -> Toast {
        try await self.load()
        if let revisions, let current = self.engine.toast(id)?.revision, !revisions.contains(current) {
            throw .refused(.revisionMismatch(current: current))
        }
        return try await self.change(id, .dismiss(id, reason))
    }

    /// Records that a person pressed an action.
    public func act(_ id: ToastID, _ action: String) async throws(ChannelError) -> Toast {
        try await self.change(id, .act(id, action: action))
    }

    /// Dismisses everything; the number of toasts that went.
    public func clear() async throws(ChannelError) -> Int {
        try await self.load()
        self.catchUp()
        let count = self.engine.presentedCount + self.engine.queueLength
        try self.decide(.clear)
        try await self.settle()
        return count
    }

    /// Dismisses every toast that is meant; the number of toasts that went.
    public func dismissAll(_ filter: ToastFilter) async throws(ChannelError) -> Int {
        try await self.load()
        self.catchUp()
        let living = self.engine.presented + self.engine.queued
        try self.decide(.dismissAll(filter))
        try await self.settle()
        return living.count { filter.matches($0.content) }
    }

    /// Stops a toast's countdown for everyone, until the lease ends or is given back.
    public func hold(_ id: ToastID, holder: String, lease: Interval) async throws(ChannelError) -> Hold {
        try await self.load()
        try self.decide(.hold(id, holder: holder, lease: lease))
        let hold = Hold(
            remaining: self.engine.remaining(of: id, at: self.now),
            lease: min(lease, Engine.maximumLease)
        )
        try await self.settle()
        return hold
    }

    /// Gives a hold back; nothing happens when there is none.
    public func release(_ id: ToastID, holder: String) async throws(ChannelError) {
        try await self.load()
        try self.decide(.release(id, holder: holder))
        try await self.settle()
    }

    /// The channel's own settings.
    public func settings() async throws(ChannelError) -> Settings {
        try await self.load()
        let settings = self.engine.settings
        try await self.settle()
        return settings
    }

    /// Changes the channel's own settings.
    ///
    /// - Parameter change: Makes the new settings from the old ones; what it throws stops the change.
    /// - Returns: The new settings, or what the change threw.
    /// - Throws: `unavailable` when nothing could be stored.
    public func configure<Failure: Error>(
        _ change: @Sendable (Settings) throws(Failure) -> Settings
    ) async throws(ChannelError) -> Result<Settings, Failure> {
        try await self.load()
        let settings: Settings
        do throws(Failure) { settings = try change(self.engine.settings) } catch { return .failure(error) }
        if settings != self.engine.settings { try self.decide(.configure(settings)) }
        try await self.settle()
        return .success(settings)
    }

    /// A toast; nil when there is none of that id, or it was dismissed too long ago.
    ///
    /// One that was published under an idempotency key is there for as long as the key is kept.
    public func toast(_ id: ToastID) async throws(ChannelError) -> Toast? {
        try await self.load()
        let toast = self.engine.toast(id)
        try await self.settle()
        if let toast { return toast }
        return try await self.keptOutcome(of: id)
    }

    /// The toasts in a state: presented and queued ones when none is named.
    public func toasts(in state: ToastState?) async throws(ChannelError) -> Listing {
        try await self.load()
        let toasts =
            switch state {
            case .queued: self.engine.queued
            case .presented: self.engine.presented
            case .dismissed: self.engine.dismissed
            case nil: self.engine.presented + self.engine.queued
            }
        let listing = Listing(
            toasts: toasts,
            cursor: Cursor(epoch: self.context.store.epoch, offset: self.engine.offset)
        )
        try await self.settle()
        return listing
    }

    /// The channel as a whole.
    public func summary() async throws(ChannelError) -> ChannelSummary {
        try await self.load()
        let summary = ChannelSummary(
            settings: self.engine.effective,
            presented: self.engine.presentedCount,
            queued: self.engine.queueLength,
            audience: self.audienceCounts,
            cursor: Cursor(epoch: self.context.store.epoch, offset: self.engine.offset)
        )
        try await self.settle()
        return summary
    }

    private func change(_ id: ToastID, _ command: Command) async throws(ChannelError) -> Toast {
        try await self.load()
        try self.decide(command)
        let toast = self.engine.toast(id)
        try await self.settle()
        guard let toast else { throw .refused(.toastNotFound) }
        return toast
    }

    private func accept(
        _ drafts: [ToastDraft],
        as request: IdempotentRequest,
        answer: @Sendable (Acceptance) -> [UInt8]
    ) async throws(ChannelError) -> Publication {
        // Again: while the key was looked up, the store may have failed and the channel been given up.
        if !self.isLoaded { try await self.load() }
        let accepted = try self.admit(drafts, as: request, answer: answer)
        try await self.settle()
        if let record = accepted.record { try await self.settleRecord(record) }
        return .accepted(accepted.acceptance)
    }

    /// Adds toasts to the queue, and records the answer that a repetition gets.
    ///
    /// - Returns: The toasts, and the record to wait for when nothing else is stored with it.
    @inline(never)
    private func admit(
        _ drafts: [ToastDraft],
        as request: IdempotentRequest?,
        answer: (Acceptance) -> [UInt8]
    ) throws(ChannelError) -> (acceptance: Acceptance, record: Int?) {
        self.catchUp()
        let now = self.now
        let new = self.loop.withRandomNumbers { random in
            drafts.map { Command.NewToast(id: ToastID(at: now, using: &random), draft: $0) }
        }
        // The record has to be there before the events are on their way.
        let admission: Admission
        do throws(EngineError) {
            admission = try self.consult { engine, now throws(EngineError) in try engine.enqueue(new, at: now) }
        } catch {
            self.context.meter.count(error)
            throw .refused(error)
        }
        let isNew = admission.toasts.contains(where: \.isNew)
        let isPlain = admission.isPlain
        let known = isPlain ? [] : admission.toasts.filter { !$0.isNew }.map(\.id)
        if let request {
            let accepted = Acceptance(toasts: admission.current, isNew: isNew, known: known)
            let toast = drafts.count == 1 ? accepted.toasts.first?.id : nil
            self.keep(answer(accepted), for: request, about: toast, at: now)
        }
        self.record(admission.events)
        // Of what was written just now: of all that is pending, each of many who wait for one commit would keep a copy.
        let events: ArraySlice = isPlain ? self.writePending().suffix(admission.events.count) : []
        return (
            Acceptance(toasts: admission.current, isNew: isNew, known: known, events: events),
            request != nil && admission.events.isEmpty ? self.recordsTaken : nil
        )
    }

    private func record(of request: IdempotentRequest) async throws(ChannelError) -> IdempotencyRecord? {
        do throws(StoreError) {
            return try await self.context.store.record(of: self.name, key: request.key)
        } catch {
            throw .unavailable(error)
        }
    }
}
