import EventLoop
import ToastCore

// The path of a request: load the channel, decide, store, answer. Deciding is synchronous, so no other request
// interleaves.

extension Channel {
    /// How often a request is decided again after another process has appended to the channel.
    private static let conflictLimit = 8

    /// Carries out a request; returns when all of its events are stored.
    package func perform(_ request: ChannelRequest) async throws(ChannelError) -> ChannelAnswer {
        var conflicts = 0
        while true {
            do throws(ChannelError) {
                // Two functions, because in one, the async frame of each publish would be as large as that of the
                // largest request.
                return request.isPublishWithoutKey
                    ? try await self.carryOut(request) : try await self.carryOutSteps(of: request)
            } catch .store(.conflict) where conflicts < Self.conflictLimit && self.serves {
                // Nothing was stored. The next pass loads the state again and decides by it.
                conflicts += 1
            }
        }
    }

    /// Carries out any request, whether it takes one step or several.
    @inline(never)
    private func carryOutSteps(of request: ChannelRequest) async throws(ChannelError) -> ChannelAnswer {
        switch request {
        case .publish(let publish):
            guard let key = publish.key else { break }
            return try await self.publishOnce(publish, under: key)
        case .configure(let change): return .configuration(try await self.configure(change))
        case .switchOff(let url): return .count(try await self.switchOff(url))
        case .delete: return try await self.delete()
        case .attend(let attendance): return .opening(try await self.attend(attendance))
        case .read(.toast(let id)): return .found(try await self.toast(id))
        default: break
        }
        return try await self.carryOut(request)
    }

    /// Decides a request and stores its events.
    private func carryOut(_ request: ChannelRequest) async throws(ChannelError) -> ChannelAnswer {
        if !self.isLoaded { try await self.load() }
        let answer = try self.decide(request)
        if !self.isStored { try await self.awaitStorage() }
        return answer
    }

    /// Carries out a publish, unless the same request was carried out under its key.
    @inline(never)
    private func publishOnce(
        _ publish: PublishRequest,
        under request: IdempotentRequest
    ) async throws(ChannelError) -> ChannelAnswer {
        if !self.isLoaded { try await self.load() }
        guard self.keysInUse.insert(request.key).inserted else { throw .keyInUse }
        defer { self.keysInUse.remove(request.key) }
        if let record = try await self.record(of: request) {
            guard record.fingerprint == request.fingerprint else { throw .keyReused }
            try await self.reloadIfOlder(than: record)
            return .repeated(Repetition(record))
        }
        try await self.makeRoomForKey(of: request.key.owner)
        while !self.commits.hasRoomForRecord { try await self.awaitStorage() }
        return try await self.carryOut(.publish(publish))
    }

    @inline(never)
    private func toast(_ id: ToastID) async throws(ChannelError) -> Toast? {
        if !self.isLoaded { try await self.load() }
        guard self.serves else { throw .store(self.lostChannel) }
        self.runOverdue()
        let toast = self.engine.toast(id)
        if !self.isStored { try await self.awaitStorage() }
        if let toast { return toast }
        return try await self.keptOutcome(of: id)
    }
}

// MARK: - Deciding

extension Channel {
    /// Decides a request by the current state; its events then wait to be stored.
    @inline(never)
    private func decide(_ request: ChannelRequest) throws(ChannelError) -> ChannelAnswer {
        // This process may have lost the channel since the request came in.
        guard self.serves else { throw .store(self.lostChannel) }
        // Overdue transitions come first, so that the answer or the error fits the state that its reader will see.
        self.runOverdue()
        do throws(EngineError) {
            return try self.answer(to: request)
        } catch {
            self.context.meter.count(error)
            throw .refused(error)
        }
    }

    private func answer(to request: ChannelRequest) throws(EngineError) -> ChannelAnswer {
        switch request {
        case .publish(let publish):
            return .published(try self.enqueue(publish))
        case .update(let id, let patch, let revisions):
            let current = self.engine.toast(id)?.revision ?? 0
            // 0 is a revision that no toast has: it makes the engine throw `revisionMismatch`.
            let demanded = revisions.map { $0.contains(current) ? current : 0 }
            return .toast(try self.change(id, .update(id, patch, ifRevision: demanded)))
        case .updateAll(let reuseIdentifier, let patch, let revisions):
            return .toasts(try self.updateAll(reuseIdentifier, patch, revisions))
        case .dismiss(let id, let reason, let revisions):
            if let revisions, let current = self.engine.toast(id)?.revision, !revisions.contains(current) {
                throw .revisionMismatch(current: current)
            }
            return .toast(try self.change(id, .dismiss(id, reason)))
        case .act(let id, let action):
            return .toast(try self.change(id, .act(id, action: action)))
        case .clear(let filter):
            let count = (self.engine.presented + self.engine.queued).count { filter.matches($0.content) }
            try self.apply(filter.isAnything ? .clear : .dismissAll(filter))
            return .count(count)
        case .hold(let id, let holder, let lease):
            let left = self.engine.holdTimeLeft(of: holder, on: id, at: self.now)
            try self.apply(.hold(id, holder: holder, lease: lease))
            let remaining = self.engine.remaining(of: id, at: self.now)
            return .hold(HoldAnswer(remaining: remaining, lease: min(lease, Engine.maximumLease, left)))
        case .release(let id, let holder):
            try self.apply(.release(id, holder: holder))
            return .done
        case .watchEnd(let id):
            let lives = self.engine.toast(id).map { $0.state != .dismissed } ?? false
            if lives { self.engine.watch(id) }
            return .lives(lives)
        case .read(let query):
            return try self.answer(to: query)
        case .snapshot(let isReset, let language):
            return .opening(self.snapshot(isReset: isReset, in: language))
        case .configure, .switchOff, .delete, .attend:
            preconditionFailure("\(request) takes several steps: see carryOutSteps(of:).")
        }
    }

    private func answer(to query: ChannelQuery) throws(EngineError) -> ChannelAnswer {
        let cursor = Cursor(epoch: self.context.epoch, offset: self.engine.offset)
        switch query {
        case .configuration:
            return .configuration(self.configuration)
        case .summary:
            return .summary(
                ChannelSummary(
                    settings: self.engine.settings,
                    presented: self.engine.presentedCount,
                    queued: self.engine.queueLength,
                    audience: self.listeners.transports,
                    cursor: cursor
                )
            )
        case .toast:
            preconditionFailure("A toast takes several steps: see carryOutSteps(of:).")
        case .toasts(let state, let page):
            let toasts =
                switch state {
                case .queued: self.engine.queued
                case .presented: self.engine.presented
                case .dismissed: self.engine.dismissed
                case nil: self.engine.presented + self.engine.queued
                }
            guard let page else { return .listing(Listing(toasts: toasts, cursor: cursor)) }
            guard let part = page.cut(toasts) else { throw .toastNotFound }
            return .listing(Listing(toasts: part.toasts, cursor: cursor, hasMore: part.hasMore))
        case .published:
            let published = self.engine.published
            return .listing(
                Listing(toasts: published.map(\.toast), cursor: cursor, publishedAt: published.map(\.at))
            )
        }
    }

    private func change(_ id: ToastID, _ command: Command) throws(EngineError) -> Toast {
        try self.apply(command)
        guard let toast = self.engine.toast(id) else { throw .toastNotFound }
        return toast
    }

    private func updateAll(
        _ reuseIdentifier: String,
        _ patch: ToastPatch,
        _ revisions: [Int]?
    ) throws(EngineError) -> [Toast] {
        let living = self.engine.presented + self.engine.queued
        let matching = living.filter { $0.reuseIdentifier.hasSameBytes(as: reuseIdentifier) }
        guard !matching.isEmpty else { throw .toastNotFound }
        guard matching.count <= patch.limits.batch else {
            let detail = "\(matching.count) toasts have this name; a patch changes at most \(patch.limits.batch)."
            throw .invalid(ValidationError(issues: [ValidationIssue(pointer: "", detail: detail)]))
        }
        if let revisions, let other = matching.first(where: { !revisions.contains($0.revision) }) {
            throw .revisionMismatch(current: other.revision)
        }
        let events = try self.consult { engine, now throws(EngineError) in
            try engine.update(matching.map(\.id), patch, at: now)
        }
        self.queueForCommit(events)
        return matching.compactMap { self.engine.toast($0.id) }
    }

    /// Adds toasts to the queue.
    private func enqueue(_ publish: PublishRequest) throws(EngineError) -> Publication {
        let now = self.now
        guard publish.ids.isEmpty else { return try self.enqueueOnce(publish, under: publish.ids) }
        let ids = self.loop.withRandomNumbers { ToastID.draw(publish.drafts.count, at: now, using: &$0) }
        return try self.admit(publish.toasts(under: ids), of: publish, at: now)
    }

    /// Adds toasts to the queue under ids that were drawn before, unless this was done already.
    private func enqueueOnce(_ publish: PublishRequest, under ids: [ToastID]) throws(EngineError) -> Publication {
        if let outcome = ids.first.flatMap(self.recent.outcome), let toast = self.engine.toast(outcome.toast) {
            return Publication(
                toasts: [toast],
                known: outcome.isNew ? [] : [toast.id],
                isNew: outcome.isNew,
                events: []
            )
        }
        let new = publish.toasts(under: ids)
        let isKnown = ids.contains { self.engine.toast($0) != nil } || ids.first.map(self.recent.contains) ?? false
        guard isKnown else {
            let publication = try self.admit(new, of: publish, at: self.now)
            if let id = ids.first {
                let toast = ids.count == 1 ? publication.toasts.first : nil
                let outcome = toast.map { RecentPublishes.Outcome(toast: $0.id, isNew: publication.isNew) }
                self.recent.note(id, as: outcome, at: self.engine.offset, self.now)
            }
            return publication
        }
        // Enqueues on a copy of the engine, only to build the answer: on the engine itself, a toast that updated an
        // equal one would update it again. In a batch of more than `Engine.maximumHistory` toasts, those that were
        // dismissed and forgotten since are answered as if they had just been published.
        var engine = self.engine
        return try engine.enqueue(new, at: self.now).repeated(under: ids)
    }

    /// Adds the toasts of a publish to the queue; with a key, the answer for repetitions is stored with them.
    private func admit(
        _ new: [NewToast],
        of publish: PublishRequest,
        at now: Instant
    ) throws(EngineError) -> Publication {
        var publication = try self.consult { engine, instant throws(EngineError) in
            try engine.enqueue(new, at: instant)
        }
        if let key = publish.key {
            let toast = publish.drafts.count == 1 ? publication.toasts.first?.id : nil
            let answer = self.context.answers.answer(to: publication, in: key.form)
            self.keep(answer, for: key, about: toast, at: now)
        }
        self.queueForCommit(publication.events)
        // Only the events encoded just now: otherwise each waiting publisher would keep all pending events.
        if publication.isOnlyEnqueued {
            publication.stored = self.commits.encode(self.name, self.context.epoch).suffix(publication.events.count)
        }
        return publication
    }

    /// Applies a command from outside, after all overdue transitions.
    func applyOutsideCommand(_ command: Command) throws(ChannelError) {
        guard self.serves else { throw .store(self.lostChannel) }
        self.runOverdue()
        do throws(EngineError) {
            try self.apply(command)
        } catch {
            self.context.meter.count(error)
            throw .refused(error)
        }
    }
}

extension PublishRequest {
    /// The toasts, with one id for each draft.
    fileprivate func toasts(under ids: [ToastID]) -> [NewToast] {
        self.drafts.indices.map { NewToast(id: ids[$0], draft: self.drafts[$0]) }
    }
}

extension ChannelRequest {
    /// Whether it is a publish without an idempotency key, as most requests are.
    fileprivate var isPublishWithoutKey: Bool {
        if case .publish(let publish) = self { publish.key == nil } else { false }
    }
}
