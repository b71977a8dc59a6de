package import ToastCore

/// A toast from a command line: a document, with members set by options.
///
/// It is not validated here: the server knows its limits, and points at faults.
package struct Draft: Sendable {
    package struct Action: Hashable, Sendable {
        /// The id that is reported when it is pressed.
        package let id: String

        package let title: String

        /// Reads `ID=TITLE`, or an `ID` that is its own title.
        ///
        /// Nil when either part is empty.
        package init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let id = parts.first, let title = parts.last, !id.isEmpty, !title.isEmpty else { return nil }
            self.id = id
            self.title = title
        }
    }

    package private(set) var members: JSONObject

    /// A draft with the members of a document.
    package init(_ members: JSONObject = [:]) {
        self.members = members
    }

    /// Sets a member, unless the value is nil.
    package mutating func set(_ name: String, _ value: JSON?) {
        if let value { self.members[name] = value }
    }

    /// Sets the buttons, unless there are none; `destructive` has the ids of the destructive ones.
    package mutating func set(_ actions: [Action], destructive: [String]) {
        guard !actions.isEmpty else { return }
        self.members["actions"] = .array(
            actions.map { action in
                var members: JSONObject = ["id": .string(action.id), "title": .string(action.title)]
                if destructive.contains(action.id) { members["role"] = "destructive" }
                return .object(members)
            }
        )
    }

    /// The duration of the toast: a length of time, or else a word that the server checks.
    package static func duration(_ text: String) -> JSON {
        Seconds(text).map { JSON(number: $0.count) } ?? .string(text)
    }

    /// An image, and its text alternative.
    package static func image(_ url: String, alt: String?) -> JSON {
        var image: JSONObject = ["url": .string(url)]
        image["alt"] = alt.map(JSON.string)
        return .object(image)
    }

    /// The progress: `3/12`, `0.25`, `25%`, or `?` for indeterminate; nil when the text is none of these.
    package static func progress(_ text: String) -> JSON? {
        if text == "?" { return ["indeterminate": true] }
        if text.hasSuffix("%") {
            return Self.number(text.dropLast()).map { ["value": JSON(number: $0), "total": 100] }
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap(Self.number)
        guard numbers.count == parts.count, (1...2).contains(parts.count) else { return nil }
        var progress: JSONObject = ["value": JSON(number: numbers[0])]
        if numbers.count == 2 { progress["total"] = JSON(number: numbers[1]) }
        return .object(progress)
    }

    private static func number(_ text: Substring) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
