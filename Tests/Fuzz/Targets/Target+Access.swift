import Crypto
import Foundation

@testable import ToastAccess
@testable import ToastCore

extension FuzzTarget {
    static let access = [
        Self("access", checkAccessFile), Self("key", checkKey), Self("token", checkToken), Self("claims", checkClaims),
    ]
}

private let now = EngineScenario.start

/// Runs something asynchronous to its end; what has none within ten minutes has lost its way.
///
/// libFuzzer gives up after ten seconds. In the replay its priority takes it past the tests that wait for their turn.
func wait<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Box<Result<Value, any Error>>()
    let isDone = DispatchSemaphore(value: 0)
    Task(priority: .high) {
        do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
        isDone.signal()
    }
    guard isDone.wait(timeout: .now() + 600) == .success, let result = result.value else {
        throw BrokenPromise(description: "no answer")
    }
    return try result.get()
}

/// Written once before the semaphore is signalled, read once behind it.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}

/// A file that is read is the same when it is written and read again, and its keys stay apart.
private func checkAccessFile(_ bytes: [UInt8]) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    func read() throws -> AccessFile? {
        do throws(AccessError) {
            return try AccessFile(contentsOf: path)
        } catch {
            try promise(error.description.hasPrefix(path + ": "), "a fault without its place")
            return nil
        }
    }
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
    guard let file = try read() else { return }
    try promise(Set(file.keys.map(\.id)).count == file.keys.count, "two keys with one name")
    try file.write(to: path)
    let written = FileManager.default.contents(atPath: path)
    guard let again = try read() else { throw BrokenPromise(description: "what was written cannot be read") }
    try again.write(to: path)
    try promise(FileManager.default.contents(atPath: path) == written, "another file when it is written and read again")
    // Keys that make no sense are refused one by one, with their name.
    guard file.keys.count + (file.tokens?.keys.count ?? 0) < 16 else { return }
    try wait {
        let authenticator = Authenticator(anonymous: [])
        do throws(AccessError) {
            try await authenticator.adopt(file)
        } catch {
            try promise(!error.description.isEmpty, "a fault without words")
        }
    }
}

/// A key has one spelling, and matches its own digest only; a pattern covers what it matches.
private func checkKey(_ bytes: [UInt8]) throws {
    let text = bytes.text
    if let key = APIKey(text) {
        try promise(key.text == text, "two spellings of one key")
        try promise(key.matches(key.digest), "a key that is not its own")
        try promise(!key.matches("") && !key.matches(key.digest + "0") && !key.matches(key.id), "a key of another")
    }
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 2, let one = ChannelPattern(rawValue: words[0]) else { return }
    try promise(one.covers(one) && ChannelPattern.all.covers(one), "a pattern that is less than itself")
    if let name = ChannelName(rawValue: words[1]) {
        let isMeant = one.rawValue.hasSuffix("*") && name.rawValue.hasPrefix(one.rawValue.dropLast())
        try promise(one.matches(name) == (isMeant || one.rawValue == name.rawValue), "a channel that is not meant")
    }
    guard let other = ChannelPattern(rawValue: words[1]), one.covers(other), let stem = other.stem else { return }
    try promise(one.matches(stem), "a pattern that covers another, and not its channels")
}

extension ChannelPattern {
    /// A channel that the pattern matches.
    fileprivate var stem: ChannelName? {
        ChannelName(rawValue: self.rawValue == "*" ? "any" : self.rawValue.filter { $0 != "*" })
    }
}

private let secret = [UInt8](repeating: 7, count: 32)

/// Verifies tokens with one shared secret; `nil` never.
private let verifier: TokenVerifier? = {
    let key = #"{"kid": "hs", "algorithm": "HS256", "secret": "\#(Data(secret).base64EncodedString())"}"#
    let json = #"{"audience": "toastd", "keys": [\#(key)]}"#
    guard let tokens = try? JSONDecoder().decode(AccessFile.Tokens.self, from: Data(json.utf8)) else { return nil }
    return try? wait { try await TokenVerifier(tokens) }
}()

private func base64URL(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

private func signed(_ header: [UInt8], _ claims: [UInt8]) -> String {
    let text = base64URL(header) + "." + base64URL(claims)
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: secret))
    return text + "." + base64URL(code)
}

extension TokenVerifier {
    /// Who shows a token, if all of it is right.
    fileprivate func principal(of token: String) -> Principal? {
        self.candidate(token, at: now).flatMap { $0.isSigned ? $0.principal : nil }
    }
}

/// Nobody gets in without the secret.
private func checkToken(_ bytes: [UInt8]) throws {
    let principal = verifier?.principal(of: bytes.text)
    guard principal != nil else { return }
    let parts = bytes.text.split(separator: ".", omittingEmptySubsequences: false)
    let code = HMAC<SHA256>.authenticationCode(
        for: Array(parts.prefix(2).joined(separator: ".").utf8),
        using: SymmetricKey(data: secret)
    )
    try promise(parts.count == 3 && parts[2].hasPrefix(base64URL(code).dropLast()), "in without the secret")
}

/// With the secret, whoever is let in named the algorithm, the audience and an end that is not past.
///
/// The first line is the header, the rest are the claims.
private func checkClaims(_ bytes: [UInt8]) throws {
    guard let header = bytes.lines.first, let verifier else { return }
    let body = Array(bytes.dropFirst(header.count + 1))
    guard let principal = verifier.principal(of: signed(header, body)) else { return }
    let (head, claims) = (try JSON(parsing: header), try JSON(parsing: body))
    try promise(head["alg"] == "HS256" && head["crit"] == nil, "another algorithm")
    let audience = claims["aud"] == "toastd" || claims["aud"]?.array?.contains("toastd") == true
    try promise(audience, "in with a token for somebody else")
    guard let end = principal.expires else { throw BrokenPromise(description: "in for ever") }
    try promise(end + Interval(seconds: 30) > now, "in with a token that is past")
    try promise(claims["toastd"]?.array?.count == principal.grants.count, "other grants than the token has")
}
