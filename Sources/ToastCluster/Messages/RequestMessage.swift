import ToastCore
import ToastHub

/// A request to a channel, for its owner; the answer is a ``ChannelReply``.
///
/// All requests but `attend`, whose observer cannot be sent: see ``AttendMessage``.
struct RequestMessage: Sendable {
    let channel: ChannelName
    /// What is asked of the channel; not an `attend`.
    let request: ChannelRequest

    /// The bytes of the message.
    ///
    /// They follow the length of the request's body, which is at most 256 KiB (`--max-body-bytes`): numbers, such as
    /// `9e15`, can take up to four times as many bytes here. So every request fits into a message of 1 MiB.
    func encoded() -> [UInt8] {
        MessageParts.bytes(.request, runs: self.request.runs) { writer in
            writer.member("channel", self.channel)
            self.request.writeMembers(to: &writer)
        }
    }
}

extension RequestMessage {
    init(_ parts: MessageParts) throws(MessageError) {
        self.channel = try parts.head.read("channel", ChannelName.init(rawValue:))
        self.request = try ChannelRequest(parts)
    }
}

extension ChannelRequest {
    private enum Name: String {
        case publish, update, updateAll, dismiss, act, clear, hold, release
        case configure, switchOff, delete, read, watchEnd, snapshot
    }

    private var name: Name {
        switch self {
        case .publish: .publish
        case .update: .update
        case .updateAll: .updateAll
        case .dismiss: .dismiss
        case .act: .act
        case .clear: .clear
        case .hold: .hold
        case .release: .release
        case .configure: .configure
        case .switchOff: .switchOff
        case .delete: .delete
        case .read: .read
        case .watchEnd: .watchEnd
        case .snapshot: .snapshot
        case .attend: preconditionFailure("An attendance has an observer: see AttendMessage.")
        }
    }

    fileprivate var runs: [[UInt8]] {
        guard case .publish(let publish) = self, let key = publish.key else { return [] }
        return [key.fingerprint]
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("request", self.name.rawValue)
        switch self {
        case .publish(let publish):
            publish.writeMembers(to: &writer)
        case .update(let id, let patch, let revisions):
            writer.member("id", id)
            patch.writeMembers(to: &writer)
            writer.member("ifRevision", revisions)
        case .updateAll(let reuseIdentifier, let patch, let revisions):
            writer.member("reuseIdentifier", reuseIdentifier)
            patch.writeMembers(to: &writer)
            writer.member("ifRevision", revisions)
        case .dismiss(let id, let reason, let revisions):
            writer.member("id", id)
            writer.member("reason", reason)
            writer.member("ifRevision", revisions)
        case .act(let id, let action):
            writer.member("id", id)
            writer.member("action", action)
        case .clear(let filter):
            filter.writeMembers(to: &writer)
        case .hold(let id, let holder, let lease):
            writer.member("id", id)
            writer.member("holder", holder)
            writer.member("lease", lease.nanoseconds)
        case .release(let id, let holder):
            writer.member("id", id)
            writer.member("holder", holder)
        case .configure(let change):
            change.writeMembers(to: &writer)
        case .switchOff(let url):
            writer.member("url", url)
        case .read(let query):
            query.writeMembers(to: &writer)
        case .watchEnd(let id):
            writer.member("id", id)
        case .snapshot(let isReset, let language):
            writer.flag("isReset", isReset)
            writer.member("language", language)
        case .delete, .attend:
            break
        }
    }

    fileprivate init(_ parts: MessageParts) throws(MessageError) {
        let head = parts.head
        switch try head.read("request", Name.init(rawValue:)) {
        case .publish:
            self = .publish(try PublishRequest(parts))
        case .update:
            self = .update(try head.toastID(), try ToastPatch(head), ifRevision: try head.revisions())
        case .updateAll:
            let name = try head.text("reuseIdentifier")
            self = .updateAll(reuseIdentifier: name, try ToastPatch(head), ifRevision: try head.revisions())
        case .dismiss:
            let reason = try head.read("reason", DismissReason.init(rawValue:))
            self = .dismiss(try head.toastID(), reason, ifRevision: try head.revisions())
        case .act: self = .act(try head.toastID(), action: try head.text("action"))
        case .clear: self = .clear(try ToastFilter(head))
        case .hold:
            self = .hold(try head.toastID(), holder: try head.text("holder"), lease: try head.interval("lease"))
        case .release: self = .release(try head.toastID(), holder: try head.text("holder"))
        case .configure: self = .configure(try SettingsChange(head))
        case .switchOff: self = .switchOff(try head.read("url", WebhookURL.init(rawValue:)))
        case .delete: self = .delete
        case .read: self = .read(try ChannelQuery(head))
        case .watchEnd: self = .watchEnd(try head.toastID())
        case .snapshot:
            let language = try head.optional("language", LanguageTag.init(rawValue:))
            self = .snapshot(isReset: try head.flag("isReset"), in: language)
        }
    }
}

extension ChannelQuery {
    private enum Name: String {
        case configuration, summary, toast, toasts, published
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .configuration: writer.member("query", Name.configuration.rawValue)
        case .summary: writer.member("query", Name.summary.rawValue)
        case .toast(let id):
            writer.member("query", Name.toast.rawValue)
            writer.member("id", id)
        case .toasts(let state, let page):
            writer.member("query", Name.toasts.rawValue)
            writer.member("state", state)
            writer.member("limit", page?.limit)
            writer.member("after", page?.after)
        case .published: writer.member("query", Name.published.rawValue)
        }
    }

    fileprivate init(_ head: MessageReader) throws(MessageError) {
        switch try head.read("query", Name.init(rawValue:)) {
        case .configuration: self = .configuration
        case .summary: self = .summary
        case .toast: self = .toast(try head.toastID())
        case .toasts:
            let after = try head.optional("after") { ToastID($0) }
            let page = head.object["limit"] == nil ? nil : ToastPage(after: after, limit: try head.count("limit"))
            self = .toasts(try head.optional("state", ToastState.init(rawValue:)), page)
        case .published: self = .published
        }
    }
}

extension MessageReader {
    func toastID() throws(MessageError) -> ToastID { try self.read("id") { ToastID($0) } }

    /// The revisions that a toast may have; `nil` for any.
    fileprivate func revisions() throws(MessageError) -> [Int]? {
        guard self.object["ifRevision"] != nil else { return nil }
        return try self.list("ifRevision") { value throws(MessageError) in
            guard let revision = value.integer.flatMap(Int.init(exactly:)) else { throw .member("ifRevision") }
            return revision
        }
    }
}
