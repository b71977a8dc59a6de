import MicroHTTP
import ToastAccess
import ToastCore
package import ToastHub

extension API {
    /// Answers a command of a WebSocket peer with `ack` or `error`; both carry the command's own `ref`.
    package func answer(_ session: SocketSession, _ command: [UInt8]) async -> [UInt8] {
        var reference: JSON?
        do throws(Problem) {
            let json = try self.json(command, of: session)
            guard json.object != nil else { throw Self.issue("", "An object is expected.") }
            reference = json["ref"]
            return Self.reply("ack", reference, try await self.carryOut(json, session))
        } catch {
            self.meter.count(error.type)
            return Self.reply("error", reference) { writer in
                writer.name("problem")
                error.write(to: &writer)
            }
        }
    }

    /// A command as a document; one that cannot be read counts as a change.
    private func json(_ command: [UInt8], of session: SocketSession) throws(Problem) -> JSON {
        do throws(Problem) {
            return try Request.json(command, depth: self.limits.depth)
        } catch {
            try self.charge(1, .change, to: session.caller)
            throw error
        }
    }

    private enum CommandName: String, CaseIterable {
        case publish, dismiss, act, hold, release, subscribe, unsubscribe

        /// The class as which it is counted, and the scope that it requires.
        var requirements: (rate: RateClass, scope: Scope) {
            switch self {
            case .publish: (.publish, .publish)
            case .dismiss, .act, .hold, .release: (.change, .respond)
            case .subscribe, .unsubscribe: (.read, .subscribe)
            }
        }
    }

    /// Writes the members of an answer beside `ref`.
    private typealias Members = (inout JSONWriter) -> Void

    /// Carries out a command; returns the members of its `ack`.
    private func carryOut(_ json: JSON, _ session: SocketSession) async throws(Problem) -> Members {
        let name = json["command"]?.string.flatMap(CommandName.init)
        try self.charge(1, name?.requirements.rate ?? .change, to: session.caller)
        guard let name else {
            let words = CommandName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw Self.issue("/command", "One of \(words) is expected.")
        }
        let channel = try Self.channel(json, session)
        let reader = session.caller.principal
        try reader.need(name.requirements.scope, on: channel)
        switch name {
        case .publish:
            return try await self.publish(json, to: channel, session)
        case .dismiss:
            let (id, reason) = (try Self.id(json), try Self.personalReason(in: json))
            let toast = try await self.perform(.dismiss(id, reason), on: channel, about: id, for: reader).toast()
            return self.members(about: toast, to: session)
        case .act:
            let (id, action) = (try Self.id(json), try Self.text(json, "action"))
            let toast = try await self.perform(.act(id, action: action), on: channel, about: id, for: reader).toast()
            return self.members(about: toast, to: session)
        case .hold:
            let (id, holder) = (try Self.id(json), try Self.holder(Self.text(json, "holder")))
            let lease = try Self.lease(json["lease"])
            let request = ChannelRequest.hold(id, holder: holder, lease: lease)
            let hold = try await self.perform(request, on: channel, about: id, for: reader).hold()
            return { writer in
                writer.member("remaining", hold.remaining)
                writer.member("lease", hold.lease)
            }
        case .release:
            let (id, holder) = (try Self.id(json), try Self.holder(Self.text(json, "holder")))
            _ = try await self.perform(.release(id, holder: holder), on: channel, about: id, for: reader)
            return { _ in }
        case .subscribe:
            try await self.subscribe(session, to: channel, json)
            return { _ in }
        case .unsubscribe:
            guard session.channel == nil else { throw Self.issue("/command", Self.onlyForSeveral) }
            await session.unsubscribe(from: channel)
            return { _ in }
        }
    }

    private func publish(
        _ json: JSON,
        to name: ChannelName,
        _ session: SocketSession
    ) async throws(Problem) -> Members {
        try self.checkMemory()
        let reader = session.caller.principal
        guard let document = json["toast"] else { throw Self.issue("/toast", "A toast is expected.") }
        var found: [Warning] = []
        let draft = try self.draft(document, at: "/toast", &found)
        var key = try self.idempotentRequest(json["idempotencyKey"], document, to: name, of: reader)
        key?.form.reader = reader
        key?.form.language = session.language
        // Before the toast is published: an error afterwards would claim that nothing was changed.
        let warnings = try await self.warnings(of: [ConditionalMembers(draft, at: "/toast")], in: name, beside: found)
        let answer = try await self.perform(.publish(PublishRequest([draft], key: key)), on: name, for: reader)
        switch answer {
        case .published(let publication):
            let toast = publication.toasts.first
            return self.members(about: toast, isNew: publication.isNew, to: session, warnings)
        case .repeated(let repetition):
            let toast = try Self.replay(repetition.answer, to: reader, in: name, isBatch: false).body
            return { writer in
                // The first answer had no toast if it was minimal.
                if !toast.isEmpty {
                    writer.name("toast")
                    writer.encoded(toast)
                }
                writer.member("replayed", true)
                writer.warnings(warnings)
            }
        default:
            throw answer.fault
        }
    }

    /// The members about a toast in the language of the session.
    private func members(
        about toast: Toast?,
        isNew: Bool = false,
        to session: SocketSession,
        _ warnings: [Warning] = []
    ) -> Members {
        let shown = toast.map { toast in
            ShownToast(toast, to: session.caller.principal, isNew: isNew)
                .translated(to: session.language, by: self.hub.catalogs)
        }
        return { writer in
            writer.member("toast", shown)
            writer.warnings(warnings)
        }
    }

    /// The idempotency key of a command to publish, which holds on other connections, too; nil when it has none.
    private func idempotentRequest(
        _ key: JSON?,
        _ toast: JSON,
        to name: ChannelName,
        of sender: Principal
    ) throws(Problem) -> IdempotentRequest? {
        guard let key else { return nil }
        guard let text = key.string else { throw Self.issue("/idempotencyKey", "A string is expected.") }
        do throws(Problem) {
            let head = "/v1/channels/\(name)/toasts application/json"
            return try self.idempotentRequest(text, of: sender, digesting: head, toast.bytes)
        } catch {
            var problem = error
            problem.issues = [ValidationIssue(pointer: "/idempotencyKey", detail: error.detail ?? "A key is expected.")]
            throw problem
        }
    }

    private static let onlyForSeveral =
        "The socket of one channel hears that one only; /v1/socket takes this, for up to 128 channels."

    private func subscribe(_ session: SocketSession, to name: ChannelName, _ json: JSON) async throws(Problem) {
        guard session.channel == nil else { throw Self.issue("/command", Self.onlyForSeveral) }
        let since = json["since"]
        let cursor = since?.string.flatMap(Cursor.init)
        guard since == nil || cursor != nil else { throw Self.issue("/since", "A cursor is expected.") }
        do throws(StreamError) {
            try await session.subscribe(to: name, since: cursor)
        } catch {
            throw Problem(from: error)
        }
    }

    private static func channel(_ json: JSON, _ session: SocketSession) throws(Problem) -> ChannelName {
        let channel = json["channel"].map { $0.string.flatMap(ChannelName.init) } ?? session.channel
        guard let channel else { throw self.issue("/channel", "A channel's name is expected.") }
        return channel
    }

    private static func id(_ json: JSON) throws(Problem) -> ToastID {
        guard let id = ToastID(try self.text(json, "id")) else { throw self.issue("/id", "A toast's id is expected.") }
        return id
    }

    private static func text(_ json: JSON, _ name: String) throws(Problem) -> String {
        guard let text = json[name]?.string else { throw self.issue("/\(name)", "A string is expected.") }
        return text
    }

    private static func issue(_ pointer: String, _ detail: String) -> Problem {
        Problem(.invalidCommand, at: pointer, detail)
    }

    private static func reply(_ type: String, _ reference: JSON?, _ members: Members) -> [UInt8] {
        JSONWriter.encodedObject { writer in
            writer.member("type", type)
            writer.member("ref", reference)
            members(&writer)
        }
    }
}
