import Sealing

@testable import ToastCluster

extension FuzzTarget {
    static let cluster = [Self("message", checkMessage), Self("sealed", checkSealed)]
}

/// The seal of a fixed key.
private let seal = (try? ClusterKey(fileContent: Array(0..<32))).map(MessageSeal.init)

/// What is sealed, is read as it was; other bytes are never taken for sealed ones.
private func checkSealed(_ bytes: [UInt8]) throws {
    guard let seal else { throw BrokenPromise(description: "a key of 32 bytes is refused") }
    // The head of a sealed message, and the length of what follows.
    let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }
    let forged = [1, 12, 0, 0, 0, 2] + Array("{}".utf8) + length + bytes
    try promise((try? ClusterMessage.decode(forged, seal)) == nil, "a message that nobody sealed")
    for message in [bytes, message(of: bytes)] {
        let plain = (try? ClusterMessage.decode(message))?.encoded()
        let opened = (try? ClusterMessage.decode(seal.seal(message), seal))?.encoded()
        try promise(plain == opened, "another message than the one that was sealed")
    }
}

/// A message has one spelling: what it says is the same when it is written and read again.
private func checkMessage(_ bytes: [UInt8]) throws {
    try checkSpelling(bytes)
    try checkSpelling(message(of: bytes))
}

/// The message for which some bytes stand: a kind, a head and runs, a line each, because lengths rarely survive a
/// mutation.
private func message(of bytes: [UInt8]) -> [UInt8] {
    guard let kind = bytes.first else { return [] }
    var message: [UInt8] = [1, kind & 0x0F]
    for part in Array(bytes.dropFirst()).lines {
        message += (0..<4).reversed().map { UInt8(truncatingIfNeeded: part.count >> (8 * $0)) } + part
    }
    return message
}

private func checkSpelling(_ bytes: [UInt8]) throws {
    let message: ClusterMessage
    do throws(MessageError) {
        message = try ClusterMessage.decode(bytes)
    } catch {
        switch error {
        case .unknownVersion(let version): return try promise(version != 1, "a version that is known")
        case .malformed(let text): return try promise(!text.isEmpty, "a fault without words")
        case .tooLong: throw BrokenPromise(description: "a length that nobody asked for")
        }
    }
    let spelling = message.encoded()
    try promise(try ClusterMessage.decode(spelling).encoded() == spelling, "two spellings of one message")
}

extension ClusterMessage {
    /// The bytes of the message.
    fileprivate func encoded() -> [UInt8] {
        switch self {
        case .request(let message): message.encoded()
        case .reply(let message): message.encoded()
        case .events(let message): message.encoded()
        case .restart(let channel): MessageParts.bytes(.restart, of: channel)
        case .lateChange(let channel): MessageParts.bytes(.lateChange, of: channel)
        case .attend(let message): message.encoded()
        case .audience(let message): message.encoded()
        case .audienceReply(let message): message.encoded()
        case .heartbeat(let message): message.encoded()
        case .piece(let message): message.encoded()
        case .pieceRequest(let message): message.encoded()
        case .bundle(let messages): MessageBundle.encode(messages)
        case .names(let message): message.encoded()
        case .namesReply(let message): message.encoded()
        }
    }
}
