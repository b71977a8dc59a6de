import MicroHTTP
import ToastAccess
import ToastCore
public import ToastHub

extension API {
    /// Answers a command of a WebSocket peer with `ack` or `error`; both carry the command's own `ref`.
    public func answer(_ session: SocketSession, _ command: [UInt8]) async -> [UInt8] {
        var reference: JSON?
        do throws(Problem) {
            let json = try self.json(command, of: session)
            guard json.object != nil else {
                throw Problem(.invalidCommand, [ValidationIssue(pointer: "", detail: "An object is expected.")])
            }
            reference = json["ref"]
            let toast = try await self.carryOut(json, session)
            return Self.reply("ack", reference) { writer in writer.member("toast", toast) }
        } catch {
            self.meter.count(error.type)
            return Self.reply("error", reference) { writer in
                writer.name("problem")
                error.write(to: &writer)
            }
        }
    }

    /// A command as a document, charged to whoever sent it by what it wants; what makes no sense costs as a change does.
    private func json(_ command: [UInt8], of session: SocketSession) throws(Problem) -> JSON {
        do throws(Problem) {
            return try Request.json(command, depth: self.limits.depth)
        } catch {
            try self.charge(1, .change, to: session.visitor)
            throw error
        }
    }

    private enum CommandName: String, CaseIterable {
        case publish, dismiss, act, hold, release, subscribe, unsubscribe

        /// What it is counted as.
        var rate: RateClass {
            switch self {
            case .publish: .publish
            case .dismiss, .act, .hold, .release: .change
            case .subscribe, .unsubscribe: .read
            }
        }

        /// The right that it takes.
        var scope: Scope {
            switch self {
            case .publish: .publish
            case .dismiss, .act, .hold, .release: .respond
            case .subscribe, .unsubscribe: .subscribe
            }
        }
    }

    /// Does what the command says; the toast that it was about, if it was about one.
    private func carryOut(_ json: JSON, _ session: SocketSession) async throws(Problem) -> Toast? {
        let name = json["command"]?.string.flatMap(CommandName.init)
        try self.charge(1, name?.rate ?? .change, to: session.visitor)
        guard let name else {
            let words = CommandName.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw Self.issue("/command", "One of \(words) is expected.")
        }
        let channel = try Self.channel(json, session)
        try session.visitor.principal.need(name.scope, on: channel)
        switch name {
        case .publish:
            return try await self.publish(json, to: channel)
        case .dismiss:
            let (id, reason) = (try Self.id(json), try Self.personalReason(json["reason"]))
            return try await self.perform(on: channel, about: id) { channel throws(ChannelError) in
                try await channel.dismiss(id, reason)
            }
        case .act:
            let (id, action) = (try Self.id(json), try Self.text(json, "action"))
            return try await self.perform(on: channel, about: id) { channel throws(ChannelError) in
                try await channel.act(id, action)
            }
        case .hold:
            let (id, holder) = (try Self.id(json), try Self.holder(Self.text(json, "holder")))
            let lease = try Self.lease(json["lease"])
            _ = try await self.perform(on: channel, about: id) { channel throws(ChannelError) in
                try await channel.hold(id, holder: holder, lease: lease)
            }
            return nil
        case .release:
            let (id, holder) = (try Self.id(json), try Self.holder(Self.text(json, "holder")))
            try await self.perform(on: channel, about: id) { channel throws(ChannelError) in
                try await channel.release(id, holder: holder)
            }
            return nil
        case .subscribe:
            try await self.subscribe(session, to: channel, json)
            return nil
        case .unsubscribe:
            guard session.channel == nil else {
                throw Self.issue("/command", "Only a socket for several channels takes this.")
            }
            await session.unsubscribe(from: channel)
            return nil
        }
    }

    private func publish(_ json: JSON, to name: ChannelName) async throws(Problem) -> Toast? {
        try self.checkMemory()
        guard let document = json["toast"] else { throw Self.issue("/toast", "A toast is expected.") }
        let draft: ToastDraft
        do throws(ValidationError) {
            draft = try ToastDraft(json: document, limits: self.limits)
        } catch {
            throw Problem(.invalidToast, error.issues.map { $0.inside("/toast") })
        }
        let publication = try await self.perform(on: name) { channel throws(ChannelError) in
            try await channel.publish([draft])
        }
        guard case .accepted(let accepted) = publication else { return nil }
        return accepted.toasts.first
    }

    private func subscribe(_ session: SocketSession, to name: ChannelName, _ json: JSON) async throws(Problem) {
        guard session.channel == nil else {
            throw Self.issue("/command", "Only a socket for several channels takes this.")
        }
        var cursor: Cursor?
        if let since = json["since"] {
            guard let known = since.string.flatMap(Cursor.init) else {
                throw Self.issue("/since", "A cursor is expected.")
            }
            cursor = known
        }
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
        Problem(.invalidCommand, [ValidationIssue(pointer: pointer, detail: detail)])
    }

    private static func reply(_ type: String, _ reference: JSON?, _ rest: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", type)
            writer.member("ref", reference)
            rest(&writer)
        }
        return writer.bytes
    }
}
