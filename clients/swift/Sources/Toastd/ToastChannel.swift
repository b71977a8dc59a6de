import Foundation

/// A channel of a server.
public struct ToastChannel: Sendable {
    let server: ToastServer
    /// Its name.
    public let name: String

    private var path: [String] { ["v1", "channels", self.name] }
    private var toasts: [String] { self.path + ["toasts"] }

    /// Publishes a toast once, even if the answer is lost and the request is repeated.
    @discardableResult
    public func publish(_ draft: ToastDraft) async throws -> Toast {
        let call = try self.publication(draft, key: UUID().uuidString)
        return try await self.toast(call)
    }

    /// Publishes a toast and waits until it ends, also while the server restarts.
    ///
    /// Without `wait` it waits without end. The pressed action is in `action`. If the `state` of the toast is not
    /// `dismissed`, the time was over.
    public func ask(_ draft: ToastDraft, wait: Duration? = nil) async throws -> Toast {
        var call = try self.publication(draft, key: UUID().uuidString)
        let end = wait.map { ContinuousClock.now + $0 } ?? .now + .seconds(1_000_000_000)
        call.until = end
        while true {
            let answer = try await self.server.send(call)
            // 202: the time that one request may wait is over, or the server stops and answers all who wait.
            guard answer.status == 202, ContinuousClock.now < end - .milliseconds(500) else {
                return try Self.decode(Toast.self, from: answer.body)
            }
            try await Task.sleep(for: min(.seconds(1), end - .now))
        }
    }

    /// All toasts in their order, presented ones first.
    public func list(state: String? = nil) async throws -> [Toast] {
        var found: [Toast] = []
        var after: String?
        repeat {
            var call = Call(method: "GET", path: self.toasts)
            if let state { call.query.append(("state", state)) }
            if let after { call.query.append(("after", after)) }
            let page = try Self.decode(Page.self, from: try await self.server.send(call).body)
            found += page.toasts
            after = page.next
        } while after != nil
        return found
    }

    /// A toast.
    public func toast(_ id: String) async throws -> Toast {
        try await self.toast(Call(method: "GET", path: self.toasts + [id]))
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

    /// Takes a toast back.
    public func delete(_ id: String) async throws {
        _ = try await self.server.send(Call(method: "DELETE", path: self.toasts + [id]))
    }

    /// Reports that a person pressed an action of a presented toast.
    ///
    /// It is sent only once, because the server records every press of an action that does not dismiss its toast. After
    /// `ToastdError.connectionLost` it is not known whether the press was recorded.
    @discardableResult
    public func act(_ id: String, _ action: String) async throws -> Toast {
        var call = Call(method: "POST", path: self.toasts + [id, "actions", action])
        call.isRepeatable = false
        return try await self.toast(call)
    }

    /// Reports that a person dismissed a presented toast: `swipe`, `close`, `tap`, `escape` or `key`.
    @discardableResult
    public func dismiss(_ id: String, reason: String = "close") async throws -> Toast {
        try await self.toast(try Call.sending("POST", self.toasts + [id, "dismiss"], ["dismissReason": reason]))
    }

    /// Stops the countdown of a presented toast for everyone, for at most 30 seconds; call it again to go on.
    ///
    /// `holder` is a name of this viewer; others hold by other names.
    @discardableResult
    public func hold(_ id: String, holder: String, seconds: Double = 10) async throws -> ToastHold {
        let call = try Call.sending("PUT", self.toasts + [id, "holds", holder], ["lease": seconds])
        return try Self.decode(ToastHold.self, from: try await self.server.send(call).body)
    }

    /// Ends a hold.
    public func release(_ id: String, holder: String) async throws {
        _ = try await self.server.send(Call(method: "DELETE", path: self.toasts + [id, "holds", holder]))
    }

    /// The channel's events, without end: after a lost connection they continue where they were.
    public func events(_ options: StreamOptions = StreamOptions()) -> ToastEvents {
        ToastEvents(updates: self.updates(options))
    }

    func updates(_ options: StreamOptions) -> StreamUpdates {
        StreamUpdates(server: self.server, path: self.path + ["stream"], options: options)
    }

    private func patch(_ id: String, document: some Encodable, _ revision: Int?) async throws -> Toast {
        var call = try Call.sending("PATCH", self.toasts + [id], document, as: "application/merge-patch+json")
        if let revision {
            call.headers["If-Match"] = "\"\(revision)\""
            call.isRepeatable = false
        }
        return try await self.toast(call)
    }

    private func publication(_ draft: ToastDraft, key: String) throws -> Call {
        var call = try Call.sending("POST", self.toasts, draft)
        call.headers["Idempotency-Key"] = key
        return call
    }

    private func toast(_ call: Call) async throws -> Toast {
        try Self.decode(Toast.self, from: try await self.server.send(call).body)
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
    /// Who holds it.
    public let holder: String
    /// The seconds until it ends by itself; 0 when this holder's time is used up.
    public let lease: Double
    /// The seconds that the toast will have; nil if it is indefinite.
    public let remaining: Double?
}
