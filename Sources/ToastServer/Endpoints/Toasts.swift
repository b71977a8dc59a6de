import MicroHTTP
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /v1/channels/{channel}/toasts`.
    func listToasts(_ request: Request) async throws(Problem) -> Reply {
        let name = try request.channel()
        let state = try request.word("state", ToastState.self)
        let listing = try await self.perform(on: name) { channel throws(ChannelError) in
            try await channel.toasts(in: state)
        }
        // A listing changes with every event of its channel, and with the reader's language.
        let reader = Reader(request, self.hub.catalogs)
        let tag = reader.entityTag("\(listing.cursor)", listing.toasts)
        guard !request.hasMatch(tag) else { return .response(reader.marking(.notModified(tag), listing.toasts)) }
        let response = Response.json { writer in
            writer.object { writer in
                writer.member("cursor", listing.cursor.description)
                writer.member("toasts", listing.toasts.map(reader.toast))
            }
        }
        return .response(reader.marking(response.adding("ETag", tag), listing.toasts))
    }

    /// Answers `DELETE /v1/channels/{channel}/toasts`: of all toasts, or of those with a reuse identifier.
    func clear(_ request: Request) async throws(Problem) -> Reply {
        let name = try request.channel()
        let identifier = request.target.value("reuseIdentifier")
        // An empty one is a variable that somebody forgot to fill in, and no reason to clear the whole channel.
        guard identifier?.isEmpty != true else {
            throw Problem(.invalidParameter, "reuseIdentifier must not be empty.")
        }
        let count = try await self.perform(on: name) { channel throws(ChannelError) in
            guard let identifier else { return try await channel.clear() }
            return try await channel.dismissAll(reuseIdentifier: identifier)
        }
        return .response(.json { writer in writer.object { writer in writer.member("dismissed", count) } })
    }

    /// Answers `GET /v1/channels/{channel}/toasts/{id}`.
    func getToast(_ request: Request) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        guard let toast = try await self.toast(id, in: name) else { throw Problem(.toastNotFound) }
        let reader = Reader(request, self.hub.catalogs)
        let tag = reader.entityTag(of: toast)
        guard !request.hasMatch(tag) else { return .response(reader.marking(.notModified(tag), [toast])) }
        return .response(reader.response(toast))
    }

    /// Answers `PATCH /v1/channels/{channel}/toasts/{id}`.
    func updateToast(_ request: Request) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        try self.checkMemory()
        let revisions = Self.requiredRevisions(request)
        let json = try request.json(depth: self.limits.depth, ["application/merge-patch+json"])
        let patch: ToastPatch
        do throws(ValidationError) {
            patch = try ToastPatch(json: json, limits: self.limits)
        } catch {
            throw Problem(.invalidPatch, error.issues)
        }
        let toast = try await self.perform(on: name, about: id) { channel throws(ChannelError) in
            // Of several revisions the current one is demanded, so that none can come in between.
            let current = revisions == nil ? nil : try await channel.toast(id)?.revision
            let demanded = revisions.map { $0.contains(current ?? 0) ? current ?? 0 : 0 }
            return try await channel.update(id, patch, ifRevision: demanded)
        }
        let appearance = json["appearance"] == nil ? nil : toast.appearance
        let warnings = try await self.warnings(of: [("", appearance)], in: name)
        return .response(Reader(request, self.hub.catalogs).response(toast, warnings: warnings))
    }

    /// Answers `DELETE /v1/channels/{channel}/toasts/{id}`.
    func dismissToast(_ request: Request) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let revisions = Self.requiredRevisions(request)
        return try await self.change(id, in: name, for: request) { channel throws(ChannelError) in
            try await channel.dismiss(id, .api, ifRevision: revisions)
        }
    }

    /// Answers `POST /v1/channels/{channel}/toasts/{id}/dismiss`.
    func reportDismissal(_ request: Request) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let json = try self.command(in: request)
        let reason = try Self.personalReason(json["reason"])
        return try await self.change(id, in: name, for: request) { channel throws(ChannelError) in
            try await channel.dismiss(id, reason)
        }
    }

    /// Answers `POST /v1/channels/{channel}/toasts/{id}/actions/{action}`.
    func pressAction(_ request: Request) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let action = request.parameters["action"] ?? ""
        return try await self.change(id, in: name, for: request) { channel throws(ChannelError) in
            try await channel.act(id, action)
        }
    }

    /// Answers `PUT /v1/channels/{channel}/toasts/{id}/holds/{holder}`.
    func holdToast(_ request: Request) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let holder = try Self.holder(request.parameters["holder"] ?? "")
        let json = try self.command(in: request)
        let lease = try Self.lease(json["lease"])
        let hold = try await self.perform(on: name, about: id) { channel throws(ChannelError) in
            try await channel.hold(id, holder: holder, lease: lease)
        }
        return .response(
            .json { writer in
                writer.object { writer in
                    writer.member("id", id)
                    writer.member("holder", holder)
                    writer.member("remaining", hold.remaining)
                    writer.member("lease", hold.lease)
                }
            }
        )
    }

    /// Answers `DELETE /v1/channels/{channel}/toasts/{id}/holds/{holder}`.
    func releaseToast(_ request: Request) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let holder = try Self.holder(request.parameters["holder"] ?? "")
        try await self.perform(on: name, about: id) { channel throws(ChannelError) in
            try await channel.release(id, holder: holder)
        }
        return .response(Response(status: 204).adding("Cache-Control", "no-store"))
    }
}

// MARK: - Shared with the WebSocket's commands

extension API {
    /// Does something with a channel, and says what went wrong in the API's own terms.
    func perform<Result: Sendable>(
        on name: ChannelName,
        _ body: @Sendable (Channel) async throws(ChannelError) -> Result
    ) async throws(Problem) -> Result {
        do throws(ChannelError) {
            return try await self.hub.perform(on: name, body)
        } catch {
            throw Problem(from: error)
        }
    }

    /// The same for a toast, which goes with the answer when it is its state that stands in the way.
    func perform<Result: Sendable>(
        on name: ChannelName,
        about id: ToastID,
        _ body: @Sendable (Channel) async throws(ChannelError) -> Result
    ) async throws(Problem) -> Result {
        do throws(ChannelError) {
            return try await self.hub.perform(on: name, body)
        } catch {
            throw await self.problem(error, in: name, about: id)
        }
    }

    /// What a channel's refusal is to a client: with the toast whose state stands in the way, if there is one.
    @inline(never)
    func problem(_ error: ChannelError, in name: ChannelName, about id: ToastID? = nil) async -> Problem {
        let obstacle: ToastID? =
            switch error {
            case .refused(.toastAlreadyPresented(let occupant)): occupant
            case .refused(.toastDismissed), .refused(.toastNotPresented): id
            default: nil
            }
        guard let obstacle else { return Problem(from: error) }
        // If it cannot be read any more, the refusal still stands.
        let toast = try? await self.toast(obstacle, in: name)
        return Problem(from: error, toast: toast ?? nil)
    }

    func toast(_ id: ToastID, in name: ChannelName) async throws(Problem) -> Toast? {
        try await self.perform(on: name) { channel throws(ChannelError) in try await channel.toast(id) }
    }

    /// The members of a command, of which a body may say nothing.
    private func command(in request: Request) throws(Problem) -> JSON {
        guard !request.body.isEmpty else { return [:] }
        let json = try request.json(depth: self.limits.depth)
        guard json.object == nil else { return json }
        throw Problem(.invalidCommand, [ValidationIssue(pointer: "", detail: "An object is expected.")])
    }

    static func personalReason(_ json: JSON?) throws(Problem) -> DismissReason {
        guard let json else { return .close }
        guard let reason = json.string.flatMap(DismissReason.init), reason.isPersonal else {
            let words = DismissReason.allCases.filter(\.isPersonal).map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw Problem(
                .invalidCommand,
                [ValidationIssue(pointer: "/reason", detail: "One of \(words) is expected.")]
            )
        }
        return reason
    }

    static func lease(_ json: JSON?) throws(Problem) -> Interval {
        guard let json else { return Engine.maximumLease }
        let longest = Engine.maximumLease.seconds
        guard let seconds = json.number, seconds > 0, seconds <= longest else {
            let detail = "A number of seconds, more than 0 and at most \(Int(longest)), is expected."
            throw Problem(.invalidCommand, [ValidationIssue(pointer: "/lease", detail: detail)])
        }
        return Interval(seconds: seconds)
    }

    static func holder(_ text: String) throws(Problem) -> String {
        // The same letters as in a channel's name, and as many.
        guard let name = ChannelName(rawValue: text) else {
            throw Problem(.invalidParameter, "A holder's name has 1 to 64 letters, digits, hyphens or underscores.")
        }
        return name.rawValue
    }

    private func change(
        _ id: ToastID,
        in name: ChannelName,
        for request: Request,
        _ body: @Sendable (Channel) async throws(ChannelError) -> Toast
    ) async throws(Problem) -> Reply {
        let toast = try await self.perform(on: name, about: id, body)
        return .response(Reader(request, self.hub.catalogs).response(toast))
    }

    /// The revisions of which `If-Match` demands one (RFC 9110 §13.1.1); nil when any will do.
    ///
    /// What matters is what the toast says: one that came on screen since it was read may still be changed or dismissed,
    /// so the state in a tag is not compared, and may be left out. Weak tags match nothing, and neither does a list of none.
    private static func requiredRevisions(_ request: Request) -> [Int]? {
        let tags = request.headers.list("if-match")
        guard request.headers.count(of: "if-match") > 0, !tags.contains("*") else { return nil }
        return tags.compactMap { tag in
            tag.hasPrefix("\"") ? Int(tag.dropFirst().prefix { $0 != "-" && $0 != "\"" }) : nil
        }
    }
}
