import Gzip

@testable import MicroHTTP

extension FuzzTarget {
    static let http = [
        Self("target", checkTarget), Self("fields", checkFields), Self("head", checkHead),
        Self("sse", checkEventStream), Self("websocket", checkWebSocket), Self("gzip", checkGzip),
    ]
}

/// A target that is read has no segment that leads elsewhere, and means the same when it is written and read again.
private func checkTarget(_ bytes: [UInt8]) throws {
    guard let target = Target(bytes) else { return }
    for segment in target.path {
        try promise(!segment.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }, "a slash or NUL in a segment")
        try promise(segment != "." && segment != "..", "a segment that climbs")
    }
    func escaped(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    var again = "/" + target.path.map(escaped).joined(separator: "/")
    if !target.query.isEmpty {
        again += "?" + target.query.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }
    try promise(Target(again.utf8) == target, "another target when it is written and read again")
    let decoded = target.path.reduce(0) { $0 + $1.utf8.count } + target.query.reduce(0) { $0 + $1.name.utf8.count }
    try promise(decoded <= bytes.count, "more came out than went in")
}

/// Fields mean what their bytes say, and a head that passes the rules leaves one opinion about where its body ends.
private func checkFields(_ bytes: [UInt8]) throws {
    var fields = HeaderFields()
    var names: [[UInt8]] = []
    var values: [[UInt8]] = []
    for line in bytes.lines.dropFirst() {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
        names.append(Array(line[..<colon]))
        values.append(Array(line[(colon + 1)...]))
        fields.append(name: line[..<colon], value: line[(colon + 1)...])
    }
    func all(_ name: String) -> [[UInt8]] {
        zip(names, values).filter { $0.0.map(\.asciiLowercased) == Array(name.utf8) }.map(\.1)
    }
    for name in ["accept", "content-length", "host", "transfer-encoding", "x-forwarded-for"] {
        let own = all(name)
        try promise(fields.count(of: name) == own.count, "a field is counted wrong")
        // Bytes, not characters: a comma is a comma whatever the sender put around it (RFC 9110 §5.6.1).
        let elements = own.flatMap { $0.text.utf8.split(separator: UInt8(ascii: ",")).map { Array($0).trimmed } }
        try promise(
            fields.list(name).map { Array($0.utf8) } == elements.filter { !$0.isEmpty },
            "a list is split elsewhere than at its commas"
        )
        try promise(fields[name].map { Array($0.utf8) } == own.first.map { Array($0.text.utf8).trimmed }, "a value")
    }
    let words = (bytes.lines.first ?? []).text.split(separator: " ", maxSplits: 1).map(String.init)
    let (method, version) = (words.first ?? "", words.last ?? "")
    guard RequestRules.violation(method: method, version: version, headers: fields) == nil else { return }
    try promise(names.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isTokenCharacter) }, "a name that is no token")
    try promise(values.allSatisfy { !$0.contains { [0, 10, 13].contains($0) } }, "a value that ends a line")
    let (lengths, codings) = (all("content-length").count, all("transfer-encoding"))
    try promise(lengths + codings.count <= 1, "two opinions about the length")
    try promise(codings.allSatisfy { $0.map(\.asciiLowercased) == Array("chunked".utf8) }, "an unknown coding")
    try promise(all("host").count == 1 || version == "HTTP/1.0", "hosts")
}

/// What a reader of `text/event-stream` makes of an event is what was sent, which has no line breaks.
private func checkEventStream(_ bytes: [UInt8]) throws {
    let data = bytes.filter { $0 != 10 && $0 != 13 }
    var reader = EventStreamReader()
    reader.read(Frame.event("updated", id: "k3f9a2zz-7", data: data).bytes)
    try promise(reader.events == [.init(id: "k3f9a2zz-7", type: "updated", data: data)], "another event than was sent")
}

/// Compressed bytes are fewer, and come back.
private func checkGzip(_ bytes: [UInt8]) throws {
    guard let compressed = Gzip.compressed(bytes) else { return }
    try promise(compressed.count <= bytes.count, "compressed, and longer")
    try promise(inflated(compressed, count: bytes.count) == bytes, "other bytes come back")
}

/// A conversation comes out the same in whatever pieces it arrives, and within its limits.
private func checkWebSocket(_ bytes: [UInt8]) throws {
    var limits = WebSocketReader.Limits()
    (limits.message, limits.fragments) = (256, 4)
    limits.takesBinary = bytes.first.map { $0 & 1 == 1 } ?? false
    let conversation = bytes.dropFirst(2)
    func read(by step: Int) -> WebSocketReader.Result {
        var reader = WebSocketReader(limits: limits)
        var result = WebSocketReader.Result()
        var rest = conversation
        while !rest.isEmpty, !result.isOver {
            let part = reader.feed(rest.prefix(step))
            result.messages += part.messages
            result.output += part.output
            result.isOver = part.isOver
            rest = rest.dropFirst(step)
        }
        return result
    }
    let (whole, pieces) = (read(by: .max), read(by: Int(bytes.dropFirst().first ?? 0) % 16 + 1))
    try promise(whole.messages == pieces.messages, "other messages in pieces")
    // After an error of the protocol the outputs may differ. Depending on the pieces, libwslay notices an invalid close
    // frame at its head or at its end; and a ping before the error gets its pong, or not.
    let isOver = whole.isOver || pieces.isOver
    try promise(isOver || whole.output == pieces.output, "another answer in pieces")
    for message in whole.messages {
        try promise(message.bytes.count <= limits.message, "a message past the limit")
        let isValid = !message.isText || String(validating: message.bytes, as: UTF8.self) != nil
        try promise(isValid, "a text that is not UTF-8")
    }
    // A pong for each ping, and one closing frame, each at most as long as what it answers.
    try promise(whole.output.count <= bytes.count + 128, "more output than input")
}

extension [UInt8] {
    var trimmed: [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        return Array(Array(self.drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
    }
}
