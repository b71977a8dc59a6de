import Foundation
import InternetAddresses
import ToastAccess

@testable import MicroHTTP
@testable import ToastCore
@testable import ToastHub
@testable import ToastServer

extension FuzzTarget {
    static let server = [
        Self("plist", checkPropertyList), Self("headers", checkHeaders), Self("forwarded", checkForwarded),
        Self("request", checkRequest), Self("command", checkCommand),
    ]
}

/// Refusals say nothing that the sender said, but for the names of members, and can be read.
private func check(_ problem: Problem) throws {
    try promise((400...503).contains(problem.type.status), "no problem")
    try promise(problem.type != .internalError, "something went wrong in the server")
    for issue in problem.issues { try promise(issue.pointer.isPointer, "a pointer that is none: \(issue.pointer)") }
    try check(problem.response())
}

private func check(_ response: Response) throws {
    try promise((200..<600).contains(response.status), "a status that is none")
    for field in response.headers {
        try promise(!field.name.isEmpty && field.name.utf8.allSatisfy(\.isTokenCharacter), "a field without a name")
        try promise(!field.value.utf8.contains { [0, 10, 13].contains($0) }, "a field that ends its line")
    }
    let type = response.headers.first { $0.name == "Content-Type" }?.value ?? ""
    guard type.contains("json"), !response.body.isEmpty else { return }
    try promise((try? JSON(parsing: response.body, depthLimit: 40)) != nil, "an answer that is no JSON")
}

/// A theme that is accepted is one that settings take.
private func checkPropertyList(_ bytes: [UInt8]) throws {
    guard let theme = try accepted({ () throws(Problem) in try PropertyList.theme(in: bytes) }) else { return }
    try promise(theme.count <= Theme.Key.allCases.count, "more keys than there are")
    try promise((try? Settings(json: ["theme": .object(theme)])) != nil, "a theme that settings refuse")
}

/// Reads something; `nil` when it was refused in good order.
private func accepted<Value>(_ read: () throws(Problem) -> Value?) throws -> Value? {
    do throws(Problem) {
        return try read()
    } catch {
        try check(error)
        return nil
    }
}

/// Fields: a line each, behind the target.
private func request(_ lines: [[UInt8]], _ method: MicroHTTP.Method = .post, body: [UInt8] = []) -> Request? {
    guard let target = Target(lines.first ?? []) else { return nil }
    var headers = HeaderFields()
    for line in lines.dropFirst() {
        let isLine = !line.contains(0) && !line.contains(13)
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isLine else { continue }
        headers.append(name: line[..<colon], value: line[(colon + 1)...].drop { $0 == 0x20 })
    }
    return Request(method: method, target: target, headers: headers, body: body, peer: IPAddress("10.0.0.1"))
}

/// What header fields mean, one by one.
private func checkHeaders(_ bytes: [UInt8]) throws {
    guard let request = request(bytes.lines) else { return }
    try promise(Preferences(request).wait ?? 0 >= 0, "a wait that is over before it begins")
    if let type = request.mediaType {
        try promise(!type.contains { $0 == ";" || $0 == " " } && type == type.lowercased(), "a media type with more")
    }
    let condition = Precondition(request)
    let (isFree, isAny) = (request.headers.list("if-match").isEmpty, request.headers.list("if-match").contains("*"))
    if !isFree, !isAny, condition.holds(for: "\"1-queued\"") {
        try promise(request.headers.list("if-match").contains("\"1-queued\""), "a tag that nobody named")
    }
    _ = (request.hasMatch("\"1\""), request.accepts(encoding: "gzip"), request.cookie("toastd"))
    if case .bearer(let token)? = lab?.api.access.credential(of: request, takesTicket: true) {
        try promise(request.headers.count(of: "authorization") > 0 || token.isEmpty, "a token from nowhere")
    }
    if let number = try accepted({ () throws(Problem) in try request.number("wait", in: 0...60) }) {
        try promise((0...60).contains(number), "a number out of bounds")
    }
    if let number = try accepted({ () throws(Problem) in try request.integer("limit", in: 1...100) }) {
        try promise((1...100).contains(number), "a number out of bounds")
    }
    let keyed = try accepted { () throws(Problem) in try lab?.api.idempotentRequest(request, of: .server) }
    if let key = keyed?.key.text {
        try promise(key.isPlain && (1...255).contains(key.utf8.count), "a key that is none")
    }
    if let head = try? WebSocketHandshake.accept(request, subprotocol: "toastd.v1").bytes {
        let lines = head.text.split(separator: "\r\n", omittingEmptySubsequences: false)
        try promise((6...7).contains(lines.count) && lines.allSatisfy { !$0.contains("\n") }, "another head")
    }
}

/// Whatever the client writes into the fields, the proxy's own word behind it is what counts.
private func checkForwarded(_ bytes: [UInt8]) throws {
    let proxies = TrustedProxies(["10.0.0.0/8"].compactMap { AddressBlock($0) })
    let claims = bytes.lines.filter { !$0.contains(0) && !$0.contains(13) }
    let client = IPAddress("203.0.113.9")
    for (name, own) in [("x-forwarded-for", "203.0.113.9"), ("forwarded", "for=203.0.113.9;proto=http")] {
        var (spoken, joined) = (HeaderFields(), HeaderFields())
        for claim in claims { spoken.append(name: name.utf8, value: claim) }
        spoken.append(name: name.utf8, value: own.utf8)
        joined.append(name: name.utf8, value: claims.joined(separator: ", ".utf8) + Array(", \(own)".utf8))
        // A proxy adds a field of its own, or adds to the last one there is.
        for fields in [spoken, joined] {
            guard let target = Target("/".utf8) else { continue }
            let request = Request(method: .get, target: target, headers: fields, peer: IPAddress("10.0.0.1"))
            try promise(proxies.source(of: request) == client, "a client that hides behind what it says")
            try promise(!proxies.isSecure(request), "a client that says of itself that it is secure")
            let direct = Request(method: .get, target: target, headers: fields, peer: IPAddress("192.0.2.1"))
            try promise(proxies.source(of: direct) == IPAddress("192.0.2.1"), "the word of a stranger")
        }
    }
}

/// A request as it comes: method and target, fields, an empty line, the body.
///
/// Whatever is asked, there is an answer in good form, and none that says that the server failed.
private func checkRequest(_ bytes: [UInt8]) throws {
    guard let lab, let end = bytes.firstRange(of: Array("\n\n".utf8)) else { return }
    var lines = Array(bytes[..<end.lowerBound]).lines
    guard let first = lines.first, let blank = first.firstIndex(of: 0x20),
        let method = MicroHTTP.Method(rawValue: Array(first[..<blank]).text)
    else { return }
    lines[0] = Array(first[(blank + 1)...])
    // Who waits is detached, and nobody is there to take the connection.
    lines.removeAll { $0.text.lowercased().hasPrefix("prefer") && $0.text.lowercased().contains("wait") }
    guard let request = request(lines, method, body: Array(bytes[end.upperBound...].prefix(65_536))),
        request.target.path.last != "stream", request.target.path.last != "poll", request.target.path.last != "socket"
    else { return }
    guard case .response(let response) = try lab.answer(request) else { return }
    try promise(response.status != 500, "something went wrong in the server")
    try check(response)
}

/// A WebSocket's command is answered with `ack` or `error`, and its own `ref`.
private func checkCommand(_ bytes: [UInt8]) throws {
    guard let lab else { return }
    let answer = try JSON(parsing: try lab.answer(bytes), depthLimit: 40)
    try promise(answer["type"] == "ack" || answer["type"] == "error", "no answer")
    let reference = (try? JSON(parsing: bytes))?["ref"]
    try promise(answer["ref"] == reference, "an answer to something else")
    let status = answer["problem"]?["status"]?.integer
    try promise((answer["type"] == "error") == (status != nil) && status != 500, "something went wrong in the server")
}
