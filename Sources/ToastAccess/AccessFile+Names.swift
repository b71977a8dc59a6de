import Foundation
import ToastCore

/// Why an access file or a key set is invalid; the reason begins with the place.
struct AccessFileError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension AccessFile {
    /// The members that an object may have, and the shapes of their values.
    private indirect enum Shape: Sendable {
        case value
        case list(Shape)
        case object([String: Shape])
    }

    private static let shape = Shape.object([
        "keys": .list(
            .object([
                "id": .value, "name": .value, "digest": .value, "expires": .value,
                "grants": .list(.object(["scopes": .value, "channels": .value])),
            ])
        ),
        "tokens": .object([
            "audience": .value, "issuer": .value,
            "jwks": .object(["url": .value, "file": .value, "refreshSeconds": .value]),
            "keys": .list(
                .object([
                    "kid": .value, "algorithm": .value, "secret": .value, "publicKey": .value, "privateKey": .value,
                ])
            ),
        ]),
    ])

    /// Refuses a document that is not JSON or has an unknown member: a misspelt `issuer` would accept every issuer.
    static func checkNames(in document: [UInt8]) throws(AccessFileError) {
        let json: JSON
        do throws(JSONSyntaxError) { json = try JSON(parsing: document) } catch {
            let line = document.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw AccessFileError("line \(line): \(error.detail)")
        }
        guard let place = self.unknownMember(in: json, self.shape) else { return }
        throw AccessFileError("\(place): there is no such member")
    }

    /// The JSON pointer of an unknown member; nil when there is none.
    private static func unknownMember(in json: JSON, _ shape: Shape) -> String? {
        switch (shape, json) {
        case (.object(let members), .object(let object)):
            for (name, value) in object {
                guard let member = members[name] else { return "/" + name }
                if let place = self.unknownMember(in: value, member) { return "/" + name + place }
            }
            return nil
        case (.list(let element), .array(let values)):
            for (index, value) in values.enumerated() {
                if let place = self.unknownMember(in: value, element) { return "/\(index)" + place }
            }
            return nil
        // The decoder reports values of the wrong type.
        default: return nil
        }
    }
}
