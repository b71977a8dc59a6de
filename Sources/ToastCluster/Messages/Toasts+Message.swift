import ToastCore
import ToastHub

// What requests say about toasts.

extension ToastFilter {
    /// Writes what is set.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("reuseIdentifier", self.reuseIdentifier)
        writer.member("title", self.title)
        writer.member("message", self.message)
        writer.member("placement", self.placement)
    }

    init(_ head: MessageReader) throws(MessageError) {
        self.init(
            reuseIdentifier: try head.optional("reuseIdentifier") { $0 },
            title: try head.optional("title") { $0 },
            message: try head.optional("message") { $0 },
            placement: try head.optional("placement", Placement.init(rawValue:))
        )
    }
}

extension ToastPatch {
    /// Writes the patch as it was sent, and the limits of the node that accepted it.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("patch", self.members)
        self.limits.writeMembers(to: &writer)
    }

    init(_ head: MessageReader) throws(MessageError) {
        let (patch, limits) = (try head.value("patch"), try Limits(head))
        self = try MessageError.inside("patch") { () throws(ValidationError) in
            try Self(json: patch, limits: limits)
        }
    }
}

extension Limits {
    private static var counts: [(name: String, path: WritableKeyPath<Limits, Int>)] {
        [
            ("documentBytes", \.documentBytes), ("textLength", \.textLength), ("nameLength", \.nameLength),
            ("urlLength", \.urlLength), ("actions", \.actions), ("arguments", \.arguments), ("depth", \.depth),
            ("idempotencyKeyBytes", \.idempotencyKeyBytes), ("webhooks", \.webhooks), ("batch", \.batch),
        ]
    }

    /// Writes the limits that are not the standard ones.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        guard self != .standard else { return }
        writer.object("limits") { writer in
            for (name, path) in Self.counts where self[keyPath: path] != Self.standard[keyPath: path] {
                writer.member(named: name, self[keyPath: path])
            }
            if self.longest != Self.standard.longest { writer.member("longest", self.longest.nanoseconds) }
        }
    }

    fileprivate init(_ head: MessageReader) throws(MessageError) {
        self = .standard
        guard head.object["limits"] != nil else { return }
        let limits = try head.reader("limits")
        for (name, path) in Self.counts where limits.object[name] != nil {
            self[keyPath: path] = try limits.count(name)
        }
        if limits.object["longest"] != nil { self.longest = try limits.interval("longest") }
    }
}

extension Toast {
    /// Reads a toast in the form that it has in events.
    init(_ json: JSON) throws(MessageError) {
        self = try MessageError.inside("toast") { () throws(ValidationError) in try Self(json: json) }
    }
}
