public import Foundation

/// A channel of a server.
public struct ToastChannel: Sendable {
    let server: ToastServer
    /// Its name.
    public let name: String

    private var path: [String] { ["v1", "channels", self.name] }
    private var toastsPath: [String] { self.path + ["toasts"] }

    /// Publishes a toast once, even if the answer is lost and the request is repeated.
    @discardableResult
    public func publish(_ draft: ToastDraft, key: String = UUID().uuidString) async throws -> Toast {
        try await self.toast(try .publishing(self.toastsPath, draft, key))
    }

    /// Publishes up to 100 toasts, either all or none.
    ///
    /// Each is published once, even if the answer is lost and the request is repeated.
    ///
    /// - Parameters:
    ///   - drafts: The toasts, at least one.
    ///   - key: The idempotency key.
    /// - Returns: The toasts, in the order of the drafts.
    /// - Throws: `ToastdError.problem` if the server refuses one of the drafts. `detail` names an invalid draft by its
    ///   number. Other errors are those of `publish`.
    @discardableResult
    public func publishBatch(_ drafts: [ToastDraft], key: String = UUID().uuidString) async throws -> ToastBatch {
        try await self.server.send(try .publishing(self.toastsPath, drafts, key), as: ToastBatch.self)
    }

    /// Publishes a toast and waits until it ends, also while the server restarts.
    ///
    /// Without `wait` it waits without end. The pressed action is in `action`. If the `state` of the toast is not
    /// `dismissed`, the time was over. A wait of more than 50 minutes takes the scope `subscribe`, because the toast is
    /// then read instead of being published again with its idempotency key. As long as no answer has come, there is no
    /// toast to read: then it may be published twice, once the server's idempotency hours are over.
    public func ask(
        _ draft: ToastDraft,
        wait: Duration? = nil,
        key: String = UUID().uuidString
    ) async throws -> Toast {
        // A server forgets a key after an hour or more, and would publish the toast a second time.
        try await self.ask(draft, wait: wait, key: key, repetition: .seconds(3000))
    }

    /// Publishes a toast again and again for the time of `repetition`, and then reads it, until it ends.
    func ask(
        _ draft: ToastDraft,
        wait: Duration?,
        key: String = UUID().uuidString,
        repetition: Duration
    ) async throws -> Toast {
        let start = ContinuousClock.now
        let end = start + (wait ?? .seconds(1_000_000_000))
        let publication = try Call.publishing(self.toastsPath, draft, key)
        var id: String?
        while true {
            var call = publication
            call.until = end
            if let id {
                if .now < start + repetition {
                    call.until = min(end, start + repetition)
                    call.notAfter = start + repetition
                } else {
                    call = Call(method: "GET", path: self.toastsPath + [id])
                    call.until = end
                }
            }
            switch try await self.server.outcome(of: call) {
            case .success(let body):
                let toast = try ToastServer.document(body, as: Toast.self)
                // Otherwise the time that one request may wait is over, or the server stops and answers all who wait.
                if toast.state == "dismissed" || .now >= end - .milliseconds(500) { return toast }
                id = toast.id
            case .failure(let error):
                // If it is passing, the time for publications may be over, and the toast is read once at least.
                let isUnread = call.notAfter.map { .now >= $0 } ?? false
                guard error.isPassing && (.now < end || isUnread) else { throw error }
            }
            try await Task.sleep(for: min(.seconds(1), max(.zero, end - .now)))
        }
    }

    /// All toasts in their order, presented ones first.
    ///
    /// A long list comes in pages. If it changes between them, the order can be that of different moments.
    public func toasts(state: String? = nil) async throws -> [Toast] {
        var found: [Toast] = []
        var places: [String: Int] = [:]
        var after: String?
        var restarts = 0
        while true {
            var call = Call(method: "GET", path: self.toastsPath)
            if let state { call.query.append(("state", state)) }
            if let after { call.query.append(("after", after)) }
            do {
                let page = try await self.server.send(call, as: Page.self)
                for toast in page.toasts {
                    // A toast is on two pages if the last one of the first page was presented meanwhile.
                    if let place = places[toast.id] {
                        found[place] = toast
                    } else {
                        places[toast.id] = found.count
                        found.append(toast)
                    }
                }
                after = page.next
                if after == nil { return found }
            } catch ToastdError.problem(let problem)
                where problem.type == "toast-not-found" && after != nil && restarts < 5
            {
                // The last toast of a page is no longer in the list, so its place is unknown.
                (found, places, after) = ([], [:], nil)
                restarts += 1
            }
        }
    }

    /// A toast.
    public func toast(_ id: String) async throws -> Toast {
        try await self.toast(Call(method: "GET", path: self.toastsPath + [id]))
    }

    /// Changes the members of a toast that the draft has; with `revision` only if it is still that one.
    ///
    /// With `revision` it is sent only once, because the first request changes the revision. After
    /// `ToastdError.connectionLost`, or a problem with the status 502 or 504 or the type `store-undecided`, it is not
    /// known whether the toast was changed.
    @discardableResult
    public func patch(_ id: String, _ changes: ToastDraft, revision: Int? = nil) async throws -> Toast {
        try await self.patch(id, document: changes, revision)
    }

    /// Changes a toast by a JSON Merge Patch, in which `null` clears a member.
    ///
    /// With `revision` it is sent only once, as with a draft.
    @discardableResult
    public func patch(_ id: String, members: JSON, revision: Int? = nil) async throws -> Toast {
        try await self.patch(id, document: members, revision)
    }

    /// Changes all queued and presented toasts with a reuse identifier, either all or none.
    ///
    /// - Parameters:
    ///   - reuseIdentifier: The reuse identifier of the toasts to change.
    ///   - changes: The members to change; those that are nil stay as they are.
    /// - Returns: How many toasts were changed, and as many of the toasts as fit into 256 KiB.
    /// - Throws: `ToastdError.problem` with the type `toast-not-found` if no toast has the identifier, and with
    ///   `invalid-patch` if the changes are not valid for one of them, or if more than 100 have it.
    @discardableResult
    public func patchAll(reuseIdentifier: String, _ changes: ToastDraft) async throws -> UpdatedToasts {
        try await self.patchAll(reuseIdentifier, document: changes)
    }

    /// Changes all toasts with a reuse identifier by a JSON Merge Patch, in which `null` clears a member.
    ///
    /// - Parameters:
    ///   - reuseIdentifier: The reuse identifier of the toasts to change.
    ///   - members: An object with the members to change.
    /// - Returns: The same as with a draft.
    /// - Throws: The same errors as with a draft.
    @discardableResult
    public func patchAll(reuseIdentifier: String, members: JSON) async throws -> UpdatedToasts {
        try await self.patchAll(reuseIdentifier, document: members)
    }

    /// Takes a toast back; returns it as it ended, perhaps by an answer just before.
    ///
    /// With `revision` only if it is still that one.
    @discardableResult
    public func delete(_ id: String, revision: Int? = nil) async throws -> Toast {
        try await self.toast(Call(method: "DELETE", path: self.toastsPath + [id]).expecting(revision))
    }

    /// Dismisses all queued and presented toasts, or those that match all criteria.
    ///
    /// It is sent only once, because a second request would also dismiss what was published meanwhile, and count only
    /// that. After `ToastdError.connectionLost`, or a problem with the status 502 or 504 or the type `store-undecided`,
    /// it is not known whether toasts were dismissed.
    ///
    /// - Parameter criteria: Conditions that the toasts meet, such as `.message("Disk full")`; each kind at most once.
    /// - Returns: How many toasts were dismissed, which may be 0.
    /// - Throws: `ToastdError.problem` with the type `invalid-parameter` if a criterion is empty or comes twice.
    @discardableResult
    public func clear(_ criteria: ToastCriterion...) async throws -> Int {
        var call = Call(method: "DELETE", path: self.toastsPath, query: criteria.map(\.parameter))
        call.isRepeatable = false
        return try await self.server.send(call, as: Clearance.self).dismissedCount
    }

    /// Reports that a person pressed an action of a presented toast.
    ///
    /// It is sent only once, because the server records every press of an action that does not dismiss its toast. After
    /// `ToastdError.connectionLost`, or a problem with the status 502 or 504 or the type `store-undecided`, it is not
    /// known whether the press was recorded.
    @discardableResult
    public func act(_ id: String, _ action: String) async throws -> Toast {
        var call = Call(method: "POST", path: self.toastsPath + [id, "actions", action])
        call.isRepeatable = false
        return try await self.toast(call)
    }

    /// Reports that a person dismissed a presented toast: `swipe`, `close`, `tap`, `escape` or `key`.
    @discardableResult
    public func dismiss(_ id: String, reason: String = "close") async throws -> Toast {
        try await self.toast(try Call.sending("POST", self.toastsPath + [id, "dismiss"], ["dismissReason": reason]))
    }

    /// Stops the countdown of a presented toast for everyone, for at most 30 seconds; call it again to go on.
    ///
    /// `holder` is a name of this viewer; others hold by other names. After `lease` seconds the hold ends by itself.
    @discardableResult
    public func hold(_ id: String, holder: String, lease: Double = 10) async throws -> ToastHold {
        let call = try Call.sending("PUT", self.toastsPath + [id, "holds", holder], ["lease": lease])
        return try await self.server.send(call, as: ToastHold.self)
    }

    /// Ends a hold.
    public func release(_ id: String, holder: String) async throws {
        _ = try await self.server.send(Call(method: "DELETE", path: self.toastsPath + [id, "holds", holder]))
    }

    /// The channel's events, without end: after a lost connection they continue where they were.
    public func events(_ options: StreamOptions = StreamOptions()) -> ToastEvents {
        ToastEvents(updates: self.updates(options))
    }

    func updates(_ options: StreamOptions) -> StreamUpdates {
        let stream = Call(method: "GET", path: self.path + ["stream"])
        return StreamUpdates(server: self.server, stream: stream, options: options)
    }

    private func patch(_ id: String, document: some Encodable, _ revision: Int?) async throws -> Toast {
        var call = try self.change(self.toastsPath + [id], document).expecting(revision)
        // The first request changes the revision.
        call.isRepeatable = revision == nil
        return try await self.toast(call)
    }

    private func patchAll(_ reuseIdentifier: String, document: some Encodable) async throws -> UpdatedToasts {
        var call = try self.change(self.toastsPath, document)
        call.query.append(("reuseIdentifier", reuseIdentifier))
        return try await self.server.send(call, as: UpdatedToasts.self)
    }

    private func change(_ path: [String], _ document: some Encodable) throws -> Call {
        try Call.sending("PATCH", path, document, as: "application/merge-patch+json")
    }

    private func toast(_ call: Call) async throws -> Toast {
        try await self.server.send(call, as: Toast.self)
    }

    private struct Page: Decodable {
        let toasts: [Toast]
        let next: String?
    }

    private struct Clearance: Decodable { let dismissedCount: Int }
}

/// A hold on the countdown of a toast.
public struct ToastHold: Sendable, Hashable, Decodable {
    /// The identifier of the toast.
    public let id: String
    /// Who holds it.
    public let holder: String
    /// The seconds until it ends by itself; 0 when this holder's time is used up.
    public let lease: Double
    /// The seconds that the toast will have; nil if it is indefinite.
    public let remaining: Double?
}
