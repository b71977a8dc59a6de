import FoundationEssentials
import ToastCore

/// Toaster's `ToasterConfig.plist`: a property list, in XML or binary, whose keys are colours.
enum PropertyList {
    /// A value of a property list, of which only texts matter.
    private struct Value: Decodable {
        let value: BinaryPropertyList.Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            // What is no text is reported with its key, by whoever knows it.
            self.value = (try? container.decode(String.self)).map { .text($0) } ?? .other
        }
    }

    /// Reads a theme; every key that cannot be accepted is named, and then none is.
    ///
    /// Foundation reads XML without a DTD's entities, external or not, and stops at its own limit of nesting; the body is
    /// as long as HTTP lets it be.
    ///
    /// - Parameter body: The property list.
    /// - Returns: The theme as the settings have it.
    /// - Throws: What is wrong with it.
    static func theme(in body: [UInt8]) throws(Problem) -> JSONObject {
        guard let values = Self.values(in: body) else {
            let detail = "A property list with a dictionary of colours is expected."
            throw Problem(.invalidSettings, [ValidationIssue(pointer: "", detail: detail)])
        }
        var theme: JSONObject = [:]
        var issues: [ValidationIssue] = []
        let keys = Dictionary(uniqueKeysWithValues: Theme.Key.allCases.map { ($0.propertyListName, $0) })
        // A dictionary of a property list has no order.
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            switch (keys[name], value) {
            case (let key?, .text(let text)) where Color(hex: text) != nil: theme[key.rawValue] = .string(text)
            case (_?, .text): issues.append(Self.issue(name, "A colour of 6 or 8 hexadecimal digits is expected."))
            case (_?, .other): issues.append(Self.issue(name, "A string is expected."))
            case (nil, _): issues.append(Self.issue(name, "There is no such key in ToasterConfig.plist."))
            }
        }
        if issues.isEmpty { issues = self.repetitions(in: body, of: values.count) }
        guard issues.isEmpty else {
            throw Problem(.invalidSettings, Array(issues.prefix(ValidationError.maximumIssues)))
        }
        return theme
    }

    /// The keys that stand twice in the XML form: Foundation keeps one of their values and drops the other.
    ///
    /// - Parameters:
    ///   - body: A property list with a dictionary of texts.
    ///   - count: How many keys Foundation found.
    /// - Returns: An issue for each such key.
    private static func repetitions(in body: [UInt8], of count: Int) -> [ValidationIssue] {
        guard !body.starts(with: BinaryPropertyList.mark) else { return [] }
        let names = XMLKeys(body).names
        guard names.count > count else { return [] }
        var known: Set<String> = []
        let twice = Set(names.filter { !known.insert($0).inserted })
        return twice.sorted().map { Self.issue($0, "The key stands twice in the dictionary.") }
    }

    private static func values(in body: [UInt8]) -> [String: BinaryPropertyList.Value]? {
        guard !body.starts(with: BinaryPropertyList.mark) else { return BinaryPropertyList(body)?.dictionary }
        // What is wrong with it is of no use to whoever has another tool to make them with.
        return try? PropertyListDecoder().decode([String: Value].self, from: Data(body)).mapValues(\.value)
    }

    private static func issue(_ key: String, _ detail: String) -> ValidationIssue {
        ValidationIssue(pointer: "/" + key.replacing("~", with: "~0").replacing("/", with: "~1"), detail: detail)
    }
}
