import Crypto
import ToastCore

/// The streams and subjects of a cluster's store; channel names are valid subject tokens.
package struct Subjects: Hashable, Sendable {
    /// What all subjects begin with.
    package let prefix: String

    /// How many streams hold the logs, fixed for the life of a cluster; partition `p` is in stream `p % logs`.
    package static let logs = 4

    /// Subjects below a prefix; `nil` when that is no token of letters, digits, hyphens and underscores.
    init?(prefix: String) {
        // The alphabet and the length of a channel name are those of a token that is also a valid stream name.
        guard ChannelName(rawValue: prefix) != nil else { return nil }
        self.prefix = prefix
    }

    /// Which log holds a channel.
    static func log(of channel: ChannelName) -> Int { Partition(of: channel).index % Self.logs }

    package func stream(_ log: Int) -> String { "\(self.prefix)-log-\(log)" }

    func stream(of channel: ChannelName) -> String { self.stream(Self.log(of: channel)) }

    /// The stream of everything that belongs to no channel.
    var metaStream: String { "\(self.prefix)-meta" }

    func all(ofLog log: Int) -> String { "\(self.prefix).\(log).>" }

    /// All subjects of everything that belongs to no channel.
    var allOfMeta: String { "\(self.prefix).m.>" }

    /// The epoch of the log, created once.
    var epoch: String { "\(self.prefix).m.epoch" }

    /// The fingerprint of the key that all nodes share, created once.
    var key: String { "\(self.prefix).m.key" }

    /// The offset after which new channels begin; it only grows.
    var floor: String { "\(self.prefix).m.floor" }

    /// The manifest: which blobs are the catalogs and documents.
    var manifest: String { "\(self.prefix).m.manifest" }

    /// A piece of a catalog or document.
    func blob(_ id: String, piece: Int) -> String { "\(self.prefix).m.b.\(id).\(piece)" }

    /// All pieces of a catalog or document.
    func pieces(ofBlob id: String) -> String { "\(self.prefix).m.b.\(id).*" }

    /// All pieces of all catalogs and documents, also of those that no manifest names.
    var allBlobs: String { "\(self.prefix).m.b.>" }

    /// The blob that a subject under ``allBlobs`` belongs to.
    func blob(ofSubject subject: String) -> String? {
        subject.dropFirst(self.allBlobs.count - 1).split(separator: ".").first.map(String.init)
    }

    /// The message that says that a copy into the cluster is not complete.
    var copy: String { "\(self.prefix).m.copy" }

    /// The message of a ticket that was used.
    func ticket(_ id: CredentialID) -> String { "\(self.prefix).m.t.\(id.rawValue)" }

    func endedSession(_ id: CredentialID) -> String { "\(self.prefix).m.x.\(id.rawValue)" }

    var endedSessions: String { "\(self.prefix).m.x.*" }

    /// Where stores write to test a log; the pulses of nodes are below it.
    func pulse(_ log: Int) -> String { "\(self.prefix).\(log).p" }

    /// The pulse of a node in a log.
    package func pulse(of node: String, inLog log: Int) -> String { "\(self.pulse(log)).\(node)" }

    package func pulses(inLog log: Int) -> String { "\(self.pulse(log)).*" }

    /// Where nodes send each other messages that no stream keeps.
    package var bus: String { "\(self.prefix).b" }
}

/// What a subject of a channel holds.
enum SubjectKind: String, CaseIterable, Sendable {
    /// The messages of appends: one for each, or several for a large one.
    case log = "c"
    /// The pieces of the latest snapshot.
    case snapshot = "s"
    /// Idempotency records.
    case record = "k"
    /// How toasts of idempotency records ended.
    case outcome = "e"
    case webhooks = "w"
    /// Deliveries that wait.
    case delivery = "o"
}

extension Subjects {
    /// A subject of a channel: `PREFIX.LOG.KIND.PARTITION.NAME`, and what distinguishes several of a kind.
    func subject(_ kind: SubjectKind, of channel: ChannelName, _ rest: String...) -> String {
        let partition = Partition(of: channel).index
        let head = "\(self.prefix).\(partition % Self.logs).\(kind.rawValue).\(partition).\(channel.rawValue)"
        return rest.reduce(head) { $0 + "." + $1 }
    }

    /// All subjects of a kind in a log, or in one partition.
    func all(_ kind: SubjectKind, ofLog log: Int, partition: Int? = nil) -> String {
        let place = partition.map(String.init) ?? "*"
        // Logs and webhooks have only the channel's name after the partition; the other kinds have more tokens.
        let end = kind == .log || kind == .webhooks ? "*" : ">"
        return "\(self.prefix).\(log).\(kind.rawValue).\(place).\(end)"
    }

    /// A token for an idempotency key: owners and keys have characters that subjects may not have.
    static func token(of key: IdempotencyKey) -> String {
        // No owner holds a NUL, so no two pairs have the same bytes.
        SHA256.hash(data: Array(key.owner.utf8) + [0] + Array(key.text.utf8)).prefix(16).hexadecimal
    }
}

/// A subject of a channel, taken apart.
struct ChannelSubject: Hashable, Sendable {
    let kind: SubjectKind
    let channel: ChannelName
    /// The tokens after the name.
    let rest: [String]

    /// Reads a subject; `nil` when it is none of a channel.
    init?(_ subject: String) {
        let tokens = subject.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard tokens.count >= 5, let kind = SubjectKind(rawValue: String(Substring(tokens[2]))),
            let channel = ChannelName(rawValue: String(Substring(tokens[4])))
        else { return nil }
        self.kind = kind
        self.channel = channel
        self.rest = tokens[5...].map { String(Substring($0)) }
    }
}
