import ArgumentParser
import Foundation
import ToastAccess
import ToastCore

/// `toastd token`: signs a token with a key of the access file.
struct Token: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign a token (JWT) with a key of the access file, and print it.",
        discussion: "Usually an identity provider signs tokens; this is for tests and for small set-ups."
    )

    @OptionGroup
    var access: AccessOption

    @Option(help: "The kid of the key to sign with; needed if there are several.")
    var kid: String?

    @Option(help: "The subject of the token.")
    var subject: String

    @Option(help: "What they may do: publish, subscribe, respond, manage, with commas between.")
    var scopes: String

    @Option(help: "Its channels: names, or prefixes with a *, separated by commas.")
    var channels = "*"

    @Option(help: "Seconds until it expires; --seconds=-1 makes an expired token.")
    var seconds = 3600

    func validate() throws {
        let limit = 1_000_000_000
        guard (-limit...limit).contains(self.seconds) else {
            throw ValidationError("--seconds: expected at most \(limit).")
        }
    }

    func run() async throws {
        guard let tokens = try self.access.read().tokens else {
            throw Terminal.fail("\(self.access.path) has no keys for tokens.")
        }
        guard !tokens.keys.isEmpty else {
            throw Terminal.fail("\(self.access.path) has no key of its own to sign with; its key set only verifies.")
        }
        let keys = tokens.keys.filter { self.kid == nil || $0.kid == self.kid }
        guard let key = keys.first, keys.count == 1 else {
            throw Terminal.fail("Name one of the keys with --kid: \(tokens.keys.map(\.kid).joined(separator: ", ")).")
        }
        let grant = try Grant(scopes: self.scopes, channels: self.channels)
        let now = Int64(Date().timeIntervalSince1970)
        var claims: JSONObject = [
            "sub": .string(self.subject), "aud": .string(tokens.audience), "iat": .integer(now),
            "exp": .integer(now + Int64(self.seconds)),
            "toastd": [
                [
                    "scopes": .array(grant.scopes.map(\.rawValue).sorted().map(JSON.string)),
                    "channels": .array(grant.channels.map { JSON.string($0.rawValue) }),
                ]
            ],
        ]
        claims["iss"] = tokens.issuer.map(JSON.string)
        try Terminal.print(try await key.sign(.object(claims)))
    }
}
