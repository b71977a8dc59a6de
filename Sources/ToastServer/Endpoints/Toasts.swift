import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /v1/channels/{channel}/toasts`.
    func listToasts(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let name = try request.channel()
        let state = try request.word("state", ToastState.self)
        let limit = try request.integer("limit", in: 1...Self.toastsOfPage) ?? Self.toastsOfPage
        let after = try Self.after(request)
        let query = ChannelQuery.toasts(state, ToastPage(after: after, limit: limit))
        let listing: Listing
        do {
            listing = try await self.perform(.read(query), on: name).listing()
        } catch  where error.type == .toastNotFound {
            throw Problem(.toastNotFound, "after: the toast is no longer in this list; begin anew.")
        }
        // A listing changes with every event of its channel, and with the reader's language. New server defaults may
        // change its order without an event.
        let reader = ResponseLocale(request, caller.principal, self.hub)
        let toasts = listing.toasts
        let order = toasts.map { $0.id.description }.joined().utf8.digest.hexadecimal
        let tag = reader.entityTag("\(listing.cursor)-\(order)", toasts)
        guard !request.hasMatch(tag) else { return .response(reader.marking(.notModified(tag), toasts)) }
        let page = ListPage(toasts) { reader.toast($0).encoded }
        let response = Response.object { writer in
            writer.member("cursor", listing.cursor.description)
            page.write("toasts", to: &writer)
            if listing.hasMore || page.count < toasts.count, let last = toasts.prefix(page.count).last {
                writer.member("next", last.id)
            }
        }
        return .response(reader.marking(response.adding("ETag", tag), toasts))
    }

    /// The most toasts in one answer.
    private static let toastsOfPage = 1000

    /// The last toast of the previous page; nil for the first page.
    private static func after(_ request: Request) throws(Problem) -> ToastID? {
        guard let text = try request.single("after") else { return nil }
        guard let id = ToastID(text) else { throw Problem(.invalidParameter, "after: the id of a toast is expected.") }
        return id
    }

    /// Answers `DELETE /v1/channels/{channel}/toasts`: dismisses all toasts, or those that match the query.
    func clear(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let name = try request.channel()
        let known = ["reuseIdentifier", "title", "message", "placement"]
        // A filter that is misspelled, or a variable that was not filled in, must not clear the whole channel.
        for item in request.target.query {
            guard known.contains(item.name) else {
                throw Problem(.invalidParameter, "\(item.name): one of \(known.joined(separator: ", ")) is expected.")
            }
            guard request.target.values(item.name).count == 1 else {
                throw Problem(.invalidParameter, "\(item.name) must not be repeated.")
            }
            guard !item.value.isEmpty else { throw Problem(.invalidParameter, "\(item.name) must not be empty.") }
        }
        let filter = ToastFilter(
            reuseIdentifier: request.target.value("reuseIdentifier"),
            title: request.target.value("title"),
            message: request.target.value("message"),
            placement: try request.word("placement", Placement.self)
        )
        let count = try await self.perform(.clear(filter), on: name).count()
        return .object { writer in writer.member("dismissedCount", count) }
    }

    /// Answers `GET /v1/channels/{channel}/toasts/{id}`.
    func getToast(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        guard let toast = try await self.toast(id, in: name) else { throw Problem(.toastNotFound) }
        return await self.reply(with: toast, to: request, caller)
    }

    /// Answers `PATCH /v1/channels/{channel}/toasts/{id}`.
    func updateToast(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        try self.checkMemory()
        let revisions = self.requiredRevisions(request)
        let (json, patch) = try self.patch(in: request)
        let update = ChannelRequest.update(id, patch, ifRevision: revisions)
        let toast = try await self.perform(update, on: name, about: id, for: caller.principal).toast()
        let warnings = await self.warnings(of: patch, json, for: toast, in: name, to: caller)
        return .response(ResponseLocale(request, caller.principal, self.hub).response(toast, warnings: warnings))
    }

    /// Answers `PATCH /v1/channels/{channel}/toasts`: updates all toasts with a reuse identifier.
    func updateToasts(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let name = try request.channel()
        guard let identifier = try request.single("reuseIdentifier"), !identifier.isEmpty else {
            throw Problem(.invalidParameter, "reuseIdentifier: that of the toasts to change is expected.")
        }
        try self.checkMemory()
        let revisions = self.requiredRevisions(request)
        let (json, patch) = try self.patch(in: request)
        let update = ChannelRequest.updateAll(reuseIdentifier: identifier, patch, ifRevision: revisions)
        let toasts = try await self.perform(update, on: name).toasts()
        // Toasts with one reuse identifier are much alike, so the warnings are about the first only.
        let warnings = await self.warnings(of: patch, json, for: toasts.first, in: name, to: caller)
        let reader = ResponseLocale(request, caller.principal, self.hub)
        let page = ListPage(toasts) { reader.toast($0).encoded }
        let response = Response.object { writer in
            writer.member("updatedCount", toasts.count)
            page.write("toasts", to: &writer)
            writer.warnings(warnings)
        }
        return .response(reader.marking(response, toasts))
    }

    /// The warnings about a patch and the updated toast.
    ///
    /// The patch is already stored, so this must not fail: if the settings cannot be read, warnings that depend on them
    /// are left out.
    private func warnings(
        of patch: ToastPatch,
        _ json: JSON,
        for toast: Toast?,
        in name: ChannelName,
        to caller: Caller
    ) async -> [Warning] {
        let isRead = caller.principal.may(.subscribe, on: name)
        let appearance = json["appearance"].flatMap { isRead ? toast?.appearance : $0.object }
        let members = ConditionalMembers(patch: json, appearance: appearance)
        let found = toast.map { patch.warnings(for: $0) } ?? []
        let all = try? await self.warnings(of: [members], in: name, beside: found)
        return all ?? self.warnings(of: [members], by: nil, beside: found)
    }

    /// The patch that a request carries, and the document that it was read from.
    private func patch(in request: Request) throws(Problem) -> (json: JSON, patch: ToastPatch) {
        let json = try request.json(depth: self.limits.depth, ["application/merge-patch+json"])
        do throws(ValidationError) {
            return (json, try ToastPatch(json: json, limits: self.limits))
        } catch {
            throw Problem(.invalidPatch, error.issues)
        }
    }

    /// Answers `DELETE /v1/channels/{channel}/toasts/{id}`.
    func dismissToast(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let revisions = self.requiredRevisions(request)
        return try await self.change(id, .dismiss(id, .api, ifRevision: revisions), in: name, for: request, caller)
    }

    /// Answers `POST /v1/channels/{channel}/toasts/{id}/dismiss`.
    func reportDismissal(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let json = try self.command(in: request)
        let reason = try Self.personalReason(in: json)
        return try await self.change(id, .dismiss(id, reason), in: name, for: request, caller)
    }

    /// Answers `POST /v1/channels/{channel}/toasts/{id}/actions/{action}`.
    func pressAction(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let action = request.parameters["action"] ?? ""
        return try await self.change(id, .act(id, action: action), in: name, for: request, caller)
    }

    /// Answers `PUT /v1/channels/{channel}/toasts/{id}/holds/{holder}`.
    func holdToast(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let holder = try Self.holder(request.parameters["holder"] ?? "")
        let json = try self.command(in: request)
        let lease = try Self.lease(json["lease"])
        let command = ChannelRequest.hold(id, holder: holder, lease: lease)
        let hold = try await self.perform(command, on: name, about: id, for: caller.principal).hold()
        return .object { writer in
            writer.member("id", id)
            writer.member("holder", holder)
            writer.member("remaining", hold.remaining)
            writer.member("lease", hold.lease)
        }
    }

    /// Answers `DELETE /v1/channels/{channel}/toasts/{id}/holds/{holder}`.
    func releaseToast(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (name, id) = (try request.channel(), try request.toast())
        let holder = try Self.holder(request.parameters["holder"] ?? "")
        _ = try await self.perform(.release(id, holder: holder), on: name, about: id, for: caller.principal)
        return .noContent
    }
}

// MARK: - Shared with the WebSocket's commands

extension API {
    /// Has a channel carry out a request.
    ///
    /// A problem due to a toast's state contains as much of that toast (`id`, or the one in the way) as `reader` may
    /// see; without `reader`, no problem contains a toast.
    func perform(
        _ request: ChannelRequest,
        on name: ChannelName,
        about id: ToastID? = nil,
        for reader: Principal? = nil
    ) async throws(Problem) -> ChannelAnswer {
        do throws(ChannelError) {
            return try await self.hub.perform(request, on: name)
        } catch {
            guard let reader else { throw Problem(from: error) }
            throw await self.problem(error, in: name, about: id, for: reader)
        }
    }

    /// The problem of a channel's refusal, with the toast whose state is the reason, if there is one.
    @inline(never)
    private func problem(
        _ error: ChannelError,
        in name: ChannelName,
        about id: ToastID?,
        for reader: Principal
    ) async -> Problem {
        let obstacle: ToastID? =
            switch error {
            case .refused(.toastAlreadyPresented(let occupant)): occupant
            case .refused(.toastDismissed), .refused(.toastNotPresented): id
            default: nil
            }
        guard let obstacle else { return Problem(from: error) }
        // The refusal stands even if the toast cannot be read.
        let toast = try? await self.toast(obstacle, in: name)
        return Problem(from: error, toast: (toast ?? nil).map { ShownToast($0, to: reader) })
    }

    @inline(never)
    func toast(_ id: ToastID, in name: ChannelName) async throws(Problem) -> Toast? {
        try await self.perform(.read(.toast(id)), on: name).found()
    }

    /// The command in a body; an empty body is a command without members.
    private func command(in request: Request) throws(Problem) -> JSON {
        guard !request.body.isEmpty else { return [:] }
        let json = try request.json(depth: self.limits.depth)
        guard json.object == nil else { return json }
        throw Problem(.invalidCommand, at: "", "An object is expected.")
    }

    /// The reason for which a person dismisses a toast by a command; `close` when the command has none.
    static func personalReason(in command: JSON) throws(Problem) -> DismissReason {
        guard let json = command["dismissReason"] else {
            // The member's name before 0.2; if it were ignored, the reason would be `close`.
            guard command["reason"] == nil else {
                throw Problem(.invalidCommand, at: "/reason", "The member is called dismissReason.")
            }
            return .close
        }
        guard let reason = json.string.flatMap(DismissReason.init), reason.isPersonal else {
            let words = DismissReason.allCases.filter(\.isPersonal).map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw Problem(.invalidCommand, at: "/dismissReason", "One of \(words) is expected.")
        }
        return reason
    }

    static func lease(_ json: JSON?) throws(Problem) -> Interval {
        guard let json else { return Engine.maximumLease }
        let longest = Engine.maximumLease.seconds
        guard let seconds = json.number, seconds > 0, seconds <= longest else {
            let detail = "A number of seconds, more than 0 and at most \(Int(longest)), is expected."
            throw Problem(.invalidCommand, at: "/lease", detail)
        }
        // At least a millisecond: an answer with a lease of 0 says that the holder's time is used up.
        return max(Interval(seconds: seconds), Interval(seconds: 0.001))
    }

    static func holder(_ text: String) throws(Problem) -> String {
        // The rules are those of a channel's name.
        guard let name = ChannelName(rawValue: text) else {
            throw Problem(.invalidParameter, "A holder's name has 1 to 64 letters, digits, hyphens or underscores.")
        }
        return name.rawValue
    }

    private func change(
        _ id: ToastID,
        _ command: ChannelRequest,
        in name: ChannelName,
        for request: Request,
        _ caller: Caller
    ) async throws(Problem) -> Reply {
        let toast = try await self.perform(command, on: name, about: id, for: caller.principal).toast()
        return .response(ResponseLocale(request, caller.principal, self.hub).response(toast))
    }

    /// The revisions of which `If-Match` demands one (RFC 9110 §13.1.1); nil when any will do.
    ///
    /// Only the content counts: a toast that came on screen since it was read may still be changed or dismissed, so the
    /// state in a tag is not compared, and may be left out. The epoch may be left out too, but another one matches
    /// nothing, because revisions that a power failure lost are used again. Weak tags match nothing, and neither does
    /// an empty list.
    private func requiredRevisions(_ request: Request) -> [Int]? {
        let tags = request.headers.list("if-match")
        guard request.headers.count(of: "if-match") > 0, !tags.contains("*") else { return nil }
        return tags.compactMap { tag in
            guard tag.hasPrefix("\"") else { return nil }
            let parts = tag.dropFirst().prefix { $0 != "\"" }.split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count < 3 || parts[2] == self.hub.epoch.rawValue else { return nil }
            return parts.first.flatMap { Int(digits: $0) }
        }
    }
}
