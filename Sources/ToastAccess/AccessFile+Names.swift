import Foundation
import ToastCore

/// Why an access file or a key set is invalid; the reason begins with the place.
struct AccessFileError: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension AccessFile {
    /// The members that objects may have; `true` stands for any value, an array for a list of such elements.
    private static let shape: JSON = [
        "keys": [
            [
                "id": true, "name": true, "digest": true, "expires": true,
                "grants": [["scopes": true, "channels": true]],
            ]
        ],
        "tokens": [
            "audience": true, "issuer": true, "jwks": ["url": true, "file": true, "refreshSeconds": true],
            "keys": [["kid": true, "algorithm": true, "secret": true, "publicKey": true, "privateKey": true]],
        ],
    ]

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
    private static func unknownMember(in json: JSON, _ shape: JSON) -> String? {
        switch (shape, json) {
        case (.object(let members), .object(let object)):
            for (name, value) in object {
                guard let member = members[name] else { return "/" + name }
                if let place = self.unknownMember(in: value, member) { return "/" + name + place }
            }
            return nil
        case (.array(let elements), .array(let values)):
            for (index, value) in values.enumerated() {
                let place = elements.first.flatMap { self.unknownMember(in: value, $0) }
                if let place { return "/\(index)" + place }
            }
            return nil
        // The decoder reports values of the wrong type.
        default: return nil
        }
    }
}
