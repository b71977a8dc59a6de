import ToastCore

/// A field of a form.
package struct FormField: Hashable, Sendable {
    /// Its name.
    package let name: String

    /// Its value; empty when it is a file.
    package let value: String

    /// Whether it is a file, of which nothing is read.
    package var isFile = false

    /// The most fields of a form: far more than any format has.
    private static let most = 256

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
        return String(validating: spaced.percentDecoded, as: UTF8.self).flatMap { $0.hasTooManyMarks ? nil : $0 }
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
        while !rest.starts(with: Array("--".utf8)) {
            guard let end = rest.firstRange(of: delimiter), let blank = rest.firstRange(of: line + line),
                blank.upperBound <= end.lowerBound + line.count
            else { throw .invalid("", "The body does not end with its boundary.") }
            let head = String(decoding: rest[..<blank.lowerBound], as: UTF8.self)
            let content = blank.upperBound < end.lowerBound ? rest[blank.upperBound..<end.lowerBound] : []
            rest = rest[end.upperBound...]
            guard !head.hasTooManyMarks else { throw .invalid("", "A form in UTF-8 is expected.") }
            guard fields.count < Self.most else { throw .invalid("", "The form has too many fields.") }
            let disposition = head.split(whereSeparator: \.isNewline).first {
                $0.lowercased().hasPrefix("content-disposition:")
            }
            guard let disposition, let name = Self.parameter("name", of: String(disposition)) else { continue }
            guard Self.parameter("filename", of: String(disposition)) == nil else {
                fields.append(Self(name: name, value: "", isFile: true))
                continue
            }
            guard let value = String(validating: content, as: UTF8.self), !value.hasTooManyMarks else {
                throw .invalid("", "A form in UTF-8 is expected.")
            }
            fields.append(Self(name: name, value: value))
        }
        return fields
    }

    private static func parameter(_ name: String, of field: String) -> String? {
        for part in field.split(separator: ";").dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].filter({ $0 != " " }).lowercased() == name else { continue }
            return String(halves[1]).trimmed.trimming("\"")
        }
        return nil
    }
}

extension [FormField] {
    /// The value of the first field of a name that is no file.
    package subscript(_ name: String) -> String? { self.first { $0.name == name && !$0.isFile }?.value }

    /// The fields as an object of texts.
    var object: JSONObject {
        var object: JSONObject = [:]
        for field in self where !field.isFile && object[field.name] == nil { object[field.name] = .string(field.value) }
        return object
    }
}

extension String {
    /// The text without one pair of marks around it.
    func trimming(_ mark: String) -> String {
        self.count >= 2 && self.hasPrefix(mark) && self.hasSuffix(mark) ? String(self.dropFirst().dropLast()) : self
    }
}
