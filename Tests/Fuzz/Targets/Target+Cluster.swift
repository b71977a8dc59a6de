@testable import ToastCluster

extension FuzzTarget {
    static let cluster = [Self("message", checkMessage)]
}

/// A message has one spelling: what it says is the same when it is written and read again.
private func checkMessage(_ bytes: [UInt8]) throws {
    try checkSpelling(bytes)
    // Lengths rarely survive a mutation, so the bytes also stand for a kind, a head and runs, a line each.
    guard let kind = bytes.first else { return }
    var message: [UInt8] = [1, kind & 0x0F]
    for part in Array(bytes.dropFirst()).lines {
        message += (0..<4).reversed().map { UInt8(truncatingIfNeeded: part.count >> (8 * $0)) } + part
    }
    try checkSpelling(message)
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
