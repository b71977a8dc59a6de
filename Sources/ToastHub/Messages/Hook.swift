package import ToastCore
package import ToastFormats

/// A URL with a secret, at which a sender of another system's format publishes toasts to one channel.
package struct Hook: Hashable, Sendable {
    package let channel: ChannelName

    /// Its name, unique in its channel.
    package let name: HookName

    /// The digest of its secret, which itself is not kept.
    package let digest: String

    /// How a posted document becomes a toast.
    package var mapping: HookMapping
}

/// The name of a hook, of the same form as that of a channel.
package struct HookName: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    /// Checks a name: 1 to 64 letters, digits, hyphens and underscores.
    package init?(rawValue: String) {
        guard ChannelName(rawValue: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }
}

extension Hook {
    /// Writes the hook for ``init(record:)``.
    func writeRecord(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("channel", self.channel.rawValue)
            writer.member("name", self.name.rawValue)
            writer.member("digest", self.digest)
            self.mapping.writeMembers(to: &writer)
            writer.member("signingSecret", self.mapping.signingSecret)
        }
    }

    /// Reads what ``writeRecord(to:)`` wrote; `nil` when it is anything else.
    init?(record json: JSON) {
        guard let channel = json["channel"]?.string.flatMap(ChannelName.init),
            let name = json["name"]?.string.flatMap(HookName.init), let digest = json["digest"]?.string,
            let mapping = try? HookMapping(record: json)
        else { return nil }
        self.init(channel: channel, name: name, digest: digest, mapping: mapping)
    }
}
