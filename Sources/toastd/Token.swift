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

    @Option(help: "The access file. (TOASTD_ACCESS, default data/access.json)")
    var access = AccessOptions.standardPath

    @Option(help: "The kid of the key to sign with; may be left out when there is one.")
    var kid: String?

    @Option(help: "Who the token is for.")
    var subject: String

    @Option(help: "What they may do: publish, subscribe, respond, manage, with commas between.")
    var scopes: String

    @Option(help: "On which channels: names, or beginnings with a *, with commas between.")
    var channels = "*"

    @Option(help: "For how many seconds; with --seconds=-1 it has ended already.")
    var seconds = 3600

    func validate() throws {
        let limit = 1_000_000_000
        guard (-limit...limit).contains(self.seconds) else {
            throw ValidationError("--seconds: expected at most \(limit).")
        }
    }

    func run() async throws {
        guard let tokens = try AccessOptions.read(self.access).tokens else {
            throw ValidationError("\(self.access) has no keys for tokens.")
        }
        guard !tokens.keys.isEmpty else {
            throw ValidationError("\(self.access) has no key of its own to sign with; its key set only verifies.")
        }
        let keys = tokens.keys.filter { self.kid == nil || $0.kid == self.kid }
        guard let key = keys.first, keys.count == 1 else {
            throw ValidationError("Name one of the keys with --kid: \(tokens.keys.map(\.kid).joined(separator: ", ")).")
        }
        let grant = try AccessOptions.grant(scopes: self.scopes, channels: self.channels)
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
