import Foundation

@testable import InternetAddresses
@testable import ToastCore

extension FuzzTarget {
    static let values = [
        Self("json", checkJSON), Self("cursor", checkCursor), Self("names", checkNames),
        Self("addresses", checkAddresses),
    ]
}

/// What is read is what Foundation reads too, and what is written and read again is equal.
private func checkJSON(_ bytes: [UInt8]) throws {
    for limit in [3, Limits.standard.depth] {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSON(parsing: bytes, depthLimit: limit)
        } catch {
            try promise((0...bytes.count).contains(error.offset), "a fault outside of the text")
            try promise(error.pointer?.isPointer ?? true, "a pointer that is none")
            continue
        }
        try promise(json.depth <= limit, "deeper than the limit")
        let written = json.bytes
        try promise(try JSON(parsing: written, depthLimit: limit) == json, "another value when written and read again")
        try promise(try JSON(parsing: written, depthLimit: limit).bytes == written, "two spellings of one value")
        // A byte becomes six when it must be escaped, and a number is written in full: 1e15.
        try promise(written.count <= 8 * bytes.count + 16, "more came out than went in")
        let other = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
        try promise(json.agrees(with: other), "Foundation reads something else")
    }
}

extension JSON {
    fileprivate var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }

    fileprivate func agrees(with other: Any) -> Bool {
        switch self {
        case .null: other is NSNull
        case .bool(let truth): other as? Bool == truth
        case .integer, .double:
            // Foundation goes by way of decimal numbers with 38 digits, and is off by the last bits for longer ones.
            (other as? NSNumber).map { abs($0.doubleValue - (self.number ?? 0)) <= abs($0.doubleValue) * 0x1p-48 }
                ?? false
        case .string(let text): (other as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
        case .array(let values):
            (other as? [Any]).map { $0.count == values.count && zip(values, $0).allSatisfy { $0.agrees(with: $1) } }
                ?? false
        case .object(let object):
            (other as? [String: Any]).map { other in
                other.count == object.count
                    && object.allSatisfy { name, value in other[name].map(value.agrees(with:)) ?? false }
            } ?? false
        }
    }
}

/// A cursor is read whole or not at all, its text is read back as the same, and it cannot break out of a field or
/// event.
private func checkCursor(_ bytes: [UInt8]) throws {
    guard let cursor = Cursor(bytes.text) else { return }
    try promise(bytes.count <= Cursor.maximumLength, "a cursor past the limit")
    let text = cursor.description
    try promise(Cursor(text) == cursor, "another cursor when it is written and read again")
    try promise(text.utf8.count <= bytes.count, "longer than it came")
    try promise(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "something that ends a line")
    guard case .composite(let offsets) = cursor.position else { return }
    for (name, offset) in offsets { try promise(cursor.offset(in: name) == offset, "a place is lost") }
}

/// A name that is read is written as it came, or in its one usual form.
private func checkNames(_ bytes: [UInt8]) throws {
    let text = bytes.text
    if let id = ToastID(text) { try promise(id.description == text.lowercased(), "another id") }
    if let name = ChannelName(rawValue: text) {
        try promise(name.rawValue.utf8.count <= ChannelName.maximumLength && text.isPlain, "a name that is none")
    }
    if let epoch = Epoch(rawValue: text) { try promise(epoch.rawValue.utf8.count == Epoch.length, "an epoch") }
    if let instant = Instant(text) {
        try promise(JSON(writing: instant) == .string(text), "another instant")
    }
    if let color = Color(hex: text) {
        try promise(Color(hex: color.hex) == color && color.hex.utf8.count <= 9, "another colour")
    }
    if let decoded = Base64.decode(text) { try promise(Base64.encode(decoded) == text, "two spellings of one secret") }
    if let secret = WebhookSecret(text) {
        try promise(secret.revealed == text, "another secret")
        try promise(!secret.description.contains(text.dropFirst(6)), "a secret in a log")
    }
    if let url = WebhookURL(rawValue: text) {
        try promise(text.isPlain && url.rawValue.utf8.count <= WebhookURL.maximumLength, "no URL")
        try promise(!url.host.isEmpty && !url.origin.dropFirst(8).contains { "@/?#".contains($0) }, "no origin")
    }
    if let link = Link(rawValue: text) {
        try promise(!text.utf8.contains { $0 <= 0x20 || $0 == 0x5C }, "a blank or a backslash in a link")
        try promise(text.hasPrefix("/") != (text.lowercased().hasPrefix("http")), "a link that leads elsewhere")
        try promise(link.rawValue == text, "another link")
    }
}

/// An address is read as it is written; a block holds its first address, and no address outside of its bits.
private func checkAddresses(_ bytes: [UInt8]) throws {
    let text = bytes.text
    if let address = IPAddress(text) {
        try promise(IPAddress(address.description) == address, "another address when it is written and read again")
        // What C sees ends at a NUL, what the rest of us sees does not.
        try promise(text.isPlain, "an address with something behind it")
    }
    guard let block = AddressBlock(text) else { return }
    try promise(AddressBlock(block.description) == block, "another block when it is written and read again")
    try promise(block.contains(block.first), "a block without its first address")
    guard block.length > 0 else { return }
    let outside = IPAddress(bits: block.first.bits ^ (1 << UInt128(128 - block.length)))
    try promise(!block.contains(outside), "an address outside of the block in it")
}

extension String {
    /// Whether all of it is printable ASCII.
    var isPlain: Bool { self.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// Whether it is a JSON Pointer (RFC 6901 §3).
    var isPointer: Bool {
        guard self.isEmpty || self.utf8.first == UInt8(ascii: "/") else { return false }
        let bytes = Array(self.utf8)
        return bytes.indices.allSatisfy { index in
            bytes[index] != UInt8(ascii: "~") || index + 1 < bytes.count && "01".utf8.contains(bytes[index + 1])
        }
    }
}
