import CombiningMarks
import FoundationEssentials
import ToastCore

/// Toaster's `ToasterConfig.plist`: a property list in XML, whose keys are colours.
enum PropertyList {
    /// A value of a property list.
    private struct Value: Decodable {
        /// The value; nil when it is no text, which `theme(in:)` reports with its key.
        let text: String?

        init(from decoder: any Decoder) throws {
            self.text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    /// The longest list, in bytes.
    ///
    /// A list of all ten colours is a tenth as long. Foundation reads it on the loop, which took 13 ms for 64 KiB.
    static let maximumLength = 16_384

    /// Reads a theme, in the form that settings have; throws an error that names every key that cannot be accepted.
    ///
    /// Foundation reads no entities of a DTD, external or not, and has a limit of nesting.
    static func theme(in body: [UInt8]) throws(Problem) -> JSONObject {
        guard body.count <= Self.maximumLength else {
            throw Problem(.payloadTooLarge, "A property list has at most \(Self.maximumLength) bytes.")
        }
        guard !Self.isBinary(body) else {
            let detail = "A binary property list is not read; convert it with `plutil -convert xml1`."
            throw Problem(.invalidSettings, at: "", detail)
        }
        // Foundation also reads UTF-16 and a form without tags. Names and colours need neither these nor character
        // references, which could hide combining marks.
        let hasMark = body.starts(with: [0xEF, 0xBB, 0xBF])
        let first = body.dropFirst(hasMark ? 3 : 0).first { !" \t\r\n".utf8.contains($0) }
        guard first == UInt8(ascii: "<"), String(received: body) != nil, !body.contains("&#".utf8) else {
            let detail = "A property list in XML and UTF-8 without character references is expected."
            throw Problem(.invalidSettings, at: "", detail)
        }
        guard let values = try? PropertyListDecoder().decode([String: Value].self, from: Data(body)) else {
            throw Problem(.invalidSettings, at: "", "A property list with a dictionary of colours is expected.")
        }
        var theme: JSONObject = [:]
        var issues: [ValidationIssue] = []
        let keys = Dictionary(uniqueKeysWithValues: Theme.Key.allCases.map { ($0.propertyListName, $0) })
        // A dictionary of a property list has no order.
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            switch (keys[name], value.text) {
            case (let key?, let text?) where Color(hex: text) != nil: theme[key.rawValue] = .string(text)
            case (_?, _?): issues.append(Self.issue(name, "A colour of 6 or 8 hexadecimal digits is expected."))
            case (_?, nil): issues.append(Self.issue(name, "A string is expected."))
            case (nil, _): issues.append(Self.issue(name, "There is no such key in ToasterConfig.plist."))
            }
        }
        if issues.isEmpty { issues = self.repetitions(in: body, of: values.count) }
        guard issues.isEmpty else {
            throw Problem(.invalidSettings, Array(issues.prefix(ValidationError.maximumIssues)))
        }
        return theme
    }

    /// Whether a document is a property list in Apple's binary form, of any version.
    ///
    /// Foundation must not read one: in Swift 6.3 it trusts the numbers in it, and ends the process at a count past 63
    /// bits.
    static func isBinary(_ body: [UInt8]) -> Bool { body.starts(with: "bplist".utf8) }

    /// Issues for the keys that are repeated: Foundation keeps one of their values and drops the other.
    private static func repetitions(in body: [UInt8], of count: Int) -> [ValidationIssue] {
        let names = Self.keys(in: body)
        guard names.count > count else { return [] }
        var known: Set<String> = []
        let twice = Set(names.filter { !known.insert($0).inserted })
        return twice.sorted().map { Self.issue($0, "The key stands twice in the dictionary.") }
    }

    /// The keys of a list that is one dictionary of texts; a repeated key is listed each time.
    ///
    /// Comments, declarations and CDATA sections have no keys, whatever is in them.
    private static func keys(in text: [UInt8]) -> [String] {
        var keys: [String] = []
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = text[start...]
            let mark =
                if rest.starts(with: "<!--".utf8) {
                    "-->"
                } else if rest.starts(with: "<![CDATA[".utf8) {
                    "]]>"
                } else {
                    ">"
                }
            let end = rest.indices.first { rest[$0...].starts(with: mark.utf8) }
            index = end.map { $0 + mark.utf8.count } ?? text.count
            let endsName = rest.dropFirst(4).first.map { " \t\r\n>/".utf8.contains($0) } ?? false
            guard rest.starts(with: "<key".utf8), endsName else { continue }
            keys.append(String(decoding: text[index...].prefix { $0 != UInt8(ascii: "<") }, as: UTF8.self))
        }
        return keys
    }

    private static func issue(_ key: String, _ detail: String) -> ValidationIssue {
        ValidationIssue(pointer: "/" + key.escapedForPointer, detail: detail)
    }
}
