import Crypto
package import ToastCore
package import ToastFormats

/// A URL with a secret, at which a sender of another system's format publishes toasts to one channel.
package struct Hook: Hashable, Sendable {
    /// The channel that it publishes to.
    package let channel: ChannelName

    /// Its name, unique in its channel.
    package let name: HookName

    /// The digest of its secret.
    package let digest: String

    /// How it reads what is posted.
    package var mapping: HookMapping

    /// A hook.
    package init(channel: ChannelName, name: HookName, digest: String, mapping: HookMapping) {
        self.channel = channel
        self.name = name
        self.digest = digest
        self.mapping = mapping
    }
}

/// The name of a hook, made like that of a channel.
package struct HookName: RawRepresentable, Hashable, Sendable {
    /// The name.
    package let rawValue: String

    /// Checks a name: 1 to 64 letters, digits, hyphens and underscores.
    package init?(rawValue: String) {
        guard ChannelName(rawValue: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }
}

/// The secret of a hook: 32 letters and digits, which are 165 random bits.
///
/// So many bits cannot be guessed, so a fast hash is enough. Apprise accepts only this length and these characters as a
/// token of Mattermost.
package struct HookSecret: Sendable {
    /// The text, which is shown once.
    package let text: String

    /// Draws a secret.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        self.text = String((0..<32).map { _ in letters[Int.random(in: 0..<letters.count, using: &generator)] })
    }

    /// What is stored of a secret's text.
    package static func digest(of text: String) -> String { text.sha256 }

    /// What is stored of it.
    package var digest: String { Self.digest(of: self.text) }
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
