import ToastCore

/// The kind of a message: its second byte.
///
/// A number is never used for another kind.
enum MessageKind: UInt8 {
    case request = 1
    case reply = 2
    case events = 3
    case restart = 4
    case attend = 5
    case audience = 6
    case audienceReply = 7
    case heartbeat = 8
    case piece = 9
    case pieceRequest = 10
    case bundle = 11
    case sealed = 12
    case names = 13
    case namesReply = 14
    case lateChange = 15
}

/// The bytes of a message: version, kind, a head in JSON, and runs of raw bytes.
///
///     version   1 byte, 1
///     kind      1 byte
///     head      4 bytes of length, big-endian, and so many bytes of JSON: an object
///     runs      4 bytes of length and so many bytes each, until the message ends
///
/// What already is a document, such as the envelope of an event, is a run: it is neither escaped nor parsed.
struct MessageParts {
    /// The version of all messages.
    ///
    /// Members and kinds can be added to a version, because readers ignore members that they do not know; a change
    /// that an older reader would misunderstand needs a new version.
    static let version: UInt8 = 1

    /// The maximum nesting depth of a head: at most 24 levels of a publisher's document (``Limits/depth``), and the
    /// levels around it.
    private static let depthLimit = 32

    let kind: MessageKind
    let head: MessageReader
    let runs: [[UInt8]]

    static func bytes(
        _ kind: MessageKind,
        runs: some Collection<[UInt8]> = [],
        _ writeHead: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        let head = JSONWriter.encodedObject(writeHead)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(6 + head.count + runs.reduce(0) { $0 + 4 + $1.count })
        bytes.append(Self.version)
        bytes.append(kind.rawValue)
        bytes.append(run: head)
        for run in runs { bytes.append(run: run) }
        return bytes
    }

    /// The bytes of a message that only names a channel.
    static func bytes(_ kind: MessageKind, of channel: ChannelName) -> [UInt8] {
        self.bytes(kind) { $0.member("channel", channel) }
    }

    init(_ bytes: [UInt8]) throws(MessageError) {
        guard let version = bytes.first else { throw .malformed("The message is empty.") }
        guard version == Self.version else { throw .unknownVersion(version) }
        guard bytes.count > 1, let kind = MessageKind(rawValue: bytes[1]) else {
            throw .malformed("The kind of the message is unknown.")
        }
        var rest = bytes[2...]
        guard let head = rest.popRun() else { throw .malformed("The message ends in its head.") }
        self.head = try MessageReader(Self.json(Array(head)), of: "head")
        var runs: [[UInt8]] = []
        while !rest.isEmpty {
            guard let run = rest.popRun() else { throw .malformed("The message ends in a run.") }
            runs.append(Array(run))
        }
        self.kind = kind
        self.runs = runs
    }

    private static func json(_ head: [UInt8]) throws(MessageError) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSON(parsing: head, depthLimit: Self.depthLimit, limitsMarks: false)
        } catch {
            throw .malformed("The head is invalid at byte \(error.offset): \(error.detail)")
        }
    }

    func channel() throws(MessageError) -> ChannelName {
        try self.head.read("channel", ChannelName.init(rawValue:))
    }

    /// The only run of a message that has one.
    func onlyRun() throws(MessageError) -> [UInt8] {
        guard self.runs.count == 1, let run = self.runs.first else { throw .malformed("One run is expected.") }
        return run
    }
}

extension [UInt8] {
    fileprivate mutating func append(run: [UInt8]) {
        // A run of 4 GiB exceeds every `MessageLimit`, so a message with a clamped length is never sent.
        let length = UInt32(clamping: run.count)
        self.append(UInt8(truncatingIfNeeded: length >> 24))
        self.append(UInt8(truncatingIfNeeded: length >> 16))
        self.append(UInt8(truncatingIfNeeded: length >> 8))
        self.append(UInt8(truncatingIfNeeded: length))
        self.append(contentsOf: run)
    }
}

extension ArraySlice<UInt8> {
    /// Removes a run from the beginning; `nil` when it is not complete.
    fileprivate mutating func popRun() -> ArraySlice<UInt8>? {
        guard self.count >= 4 else { return nil }
        let length = self.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard self.count - 4 >= length else { return nil }
        let run = self.dropFirst(4).prefix(length)
        self = self.dropFirst(4 + length)
        return run
    }
}
