import CombiningMarks
import ToastCore

package struct FormField: Hashable, Sendable {
    package let name: String

    /// Its value; empty when it is a file.
    package let value: String

    /// Whether it is a file, of which nothing is read.
    package var isFile = false

    /// The most fields of a form: far more than any format has.
    private static let most = 256

    /// The most bytes of the head of a part.
    private static let longestHead = 8192

    /// Reads `application/x-www-form-urlencoded` (WHATWG URL §5.1).
    package static func urlEncoded(_ body: [UInt8]) throws(FormatError) -> [Self] {
        var fields: [Self] = []
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let name = Self.decode(pair[..<end]), let value = Self.decode(pair[end...].dropFirst()) else {
                throw .invalid("", "A form in UTF-8 is expected.")
            }
            guard fields.count < Self.most else { throw .invalid("", "The form has too many fields.") }
            fields.append(Self(name: name, value: value))
        }
        return fields
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> String? {
        let spaced = text.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(received: spaced.percentDecoded)
    }

    /// Reads `multipart/form-data` (RFC 7578).
    package static func multipart(_ body: [UInt8], _ contentType: String) throws(FormatError) -> [Self] {
        guard let boundary = Self.parameter("boundary", of: contentType), (1...70).contains(boundary.utf8.count) else {
            throw .invalid("", "A multipart body with a boundary is expected.")
        }
        let (line, delimiter) = (Array("\r\n".utf8), Array("\r\n--\(boundary)".utf8))
        var rest = (line + body)[...]
        guard rest.starts(with: delimiter) else { throw .invalid("", "The body does not begin with its boundary.") }
        rest = rest.dropFirst(delimiter.count)
        var fields: [Self] = []
        var count = 0
        while !rest.starts(with: Array("--".utf8)) {
            guard let end = rest.place(of: delimiter),
                // When a part is empty, the line break after its head is the one that begins the delimiter.
                let blank = rest[..<(end + line.count)].place(of: line + line)
            else { throw .invalid("", "The body does not end with its boundary.") }
            count += 1
            guard count <= Self.most else { throw .invalid("", "The form has too many fields.") }
            let content = rest[min(blank + 2 * line.count, end)..<end]
            guard blank - rest.startIndex <= Self.longestHead, let head = String(received: rest[..<blank]) else {
                throw .invalid("", "A form in UTF-8 is expected.")
            }
            rest = rest[(end + delimiter.count)...]
            let disposition = head.split(whereSeparator: \.isNewline).first {
                $0.lowercased().hasPrefix("content-disposition:")
            }
            guard let disposition, let name = Self.parameter("name", of: String(disposition)) else { continue }
            guard Self.parameter("filename", of: String(disposition)) == nil else {
                fields.append(Self(name: name, value: "", isFile: true))
                continue
            }
            guard let value = String(received: content) else { throw .invalid("", "A form in UTF-8 is expected.") }
            fields.append(Self(name: name, value: value))
        }
        return fields
    }

    /// A parameter of a header field; a semicolon between quotes is part of its value.
    private static func parameter(_ name: String, of field: String) -> String? {
        var (isQuoted, isEscaped) = (false, false)
        let parts = field.unicodeScalars.split { scalar in
            defer { isEscaped = isQuoted && !isEscaped && scalar == "\\" }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            return scalar == ";" && !isQuoted
        }
        for part in parts.dropFirst() {
            let halves = String(part).split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].filter({ $0 != " " }).lowercased() == name else { continue }
            return String(halves[1]).trimmed.unquoted
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// The index where these bytes first begin; `nil` when they are not there.
    ///
    /// `firstRange(of:)` takes hundreds of times as long.
    fileprivate func place(of bytes: [UInt8]) -> Int? {
        var rest = self
        while let place = rest.firstIndex(of: bytes[0]) {
            rest = rest[place...]
            if rest.starts(with: bytes) { return place }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension [FormField] {
    /// The value of the first field with a name, files left out; `nil` when there is none.
    package subscript(_ name: String) -> String? { self.first { $0.name == name && !$0.isFile }?.value }

    /// The fields as an object of texts.
    var object: JSONObject {
        var object: JSONObject = [:]
        for field in self where !field.isFile && object[field.name] == nil { object[field.name] = .string(field.value) }
        return object
    }
}

extension String {
    /// The content of a quoted string (RFC 2045 §5.1); any other text as it is.
    ///
    /// A backslash escapes only a quotation mark and itself: browsers write it as it is (WHATWG HTML §4.10.21.8).
    fileprivate var unquoted: String {
        guard self.count >= 2, self.hasPrefix("\""), self.hasSuffix("\"") else { return self }
        let parts = self.dropFirst().dropLast().split(separator: #"\\"#, omittingEmptySubsequences: false)
        return parts.map { $0.replacing(#"\""#, with: "\"") }.joined(separator: #"\"#)
    }
}
