import Foundation

/// A channel of a server.
public struct ToastChannel: Sendable {
    let server: ToastServer
    /// Its name.
    public let name: String

    private var path: [String] { ["v1", "channels", self.name] }
    private var toastsPath: [String] { self.path + ["toasts"] }

    /// Publishes a toast once, even if the answer is lost and the request is repeated.
    @discardableResult
    public func publish(_ draft: ToastDraft) async throws -> Toast {
        let call = try self.publication(draft, key: UUID().uuidString)
        return try await self.toast(call)
    }

    /// Publishes a toast and waits until it ends, also while the server restarts.
    ///
    /// Without `wait` it waits without end. The pressed action is in `action`. If the `state` of the toast is not
    /// `dismissed`, the time was over. A wait of more than 50 minutes takes the scope `subscribe`, because the toast is
    /// then read instead of being published again with its idempotency key.
    public func ask(_ draft: ToastDraft, wait: Duration? = nil) async throws -> Toast {
        // A server forgets a key after an hour or more, and would publish the toast a second time.
        try await self.ask(draft, wait: wait, repetition: .seconds(3000))
    }

    /// Publishes a toast again and again for the time of `repetition`, and then reads it, until it ends.
    func ask(_ draft: ToastDraft, wait: Duration?, repetition: Duration) async throws -> Toast {
        let start = ContinuousClock.now
        let end = start + (wait ?? .seconds(1_000_000_000))
        let publication = try self.publication(draft, key: UUID().uuidString)
        var id: String?
        while true {
            var call = publication
            call.until = end
            if let id {
                if .now < start + repetition {
                    call.until = min(end, start + repetition)
                } else {
                    call = Call(method: "GET", path: self.toastsPath + [id])
                    call.until = end
                }
            }
            do {
                let toast = try await self.toast(call)
                // Otherwise the time that one request may wait is over, or the server stops and answers all who wait.
                if toast.state == "dismissed" || .now >= end - .milliseconds(500) { return toast }
                id = toast.id
            } catch let error as ToastdError where error.isPassing && .now < end {
                // The time for publications is over.
            }
            try await Task.sleep(for: min(.seconds(1), max(.zero, end - .now)))
        }
    }

    /// All toasts in their order, presented ones first.
    ///
    /// A long list comes in pages. If it changes between them, the order can be that of different moments.
    public func toasts(state: String? = nil) async throws -> [Toast] {
        var found: [Toast] = []
        var known: Set<String> = []
        var after: String?
        var restarts = 0
        while true {
            var call = Call(method: "GET", path: self.toastsPath)
            if let state { call.query.append(("state", state)) }
            if let after { call.query.append(("after", after)) }
            do {
                let page = try Self.decode(Page.self, from: try await self.server.send(call))
                // If the last toast of a page was presented meanwhile, the next page begins too early.
                found += page.toasts.filter { known.insert($0.id).inserted }
                after = page.next
                if after == nil { return found }
            } catch ToastdError.problem(let problem)
                where problem.type == "toast-not-found" && after != nil && restarts < 5
            {
                // The last toast of a page is no longer in the list, so its place is unknown.
                (found, known, after) = ([], [], nil)
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
    /// `ToastdError.connectionLost` it is not known whether the toast was changed.
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

    /// Takes a toast back; returns it as it ended, perhaps by an answer just before.
    @discardableResult
    public func delete(_ id: String) async throws -> Toast {
        try await self.toast(Call(method: "DELETE", path: self.toastsPath + [id]))
    }

    /// Reports that a person pressed an action of a presented toast.
    ///
    /// It is sent only once, because the server records every press of an action that does not dismiss its toast. After
    /// `ToastdError.connectionLost` it is not known whether the press was recorded.
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
        return try Self.decode(ToastHold.self, from: try await self.server.send(call))
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
        StreamUpdates(server: self.server, path: self.path + ["stream"], options: options)
    }

    private func patch(_ id: String, document: some Encodable, _ revision: Int?) async throws -> Toast {
        var call = try Call.sending("PATCH", self.toastsPath + [id], document, as: "application/merge-patch+json")
        if let revision {
            call.headers["If-Match"] = "\"\(revision)\""
            call.isRepeatable = false
        }
        return try await self.toast(call)
    }

    private func publication(_ draft: ToastDraft, key: String) throws -> Call {
        var call = try Call.sending("POST", self.toastsPath, draft)
        call.headers["Idempotency-Key"] = key
        return call
    }

    private func toast(_ call: Call) async throws -> Toast {
        try Self.decode(Toast.self, from: try await self.server.send(call))
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw ToastdError.unexpectedAnswer("\(error)")
        }
    }

    private struct Page: Decodable {
        let toasts: [Toast]
        let next: String?
    }
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
