public import ToastCore

/// A toast as a command line describes it: members set by hand, over a document.
///
/// What makes sense, the server says: it knows its limits, and points at what is wrong.
public struct Draft: Sendable {
    /// A button.
    public struct Action: Hashable, Sendable {
        /// What comes back when it is pressed.
        public let id: String

        /// What is on it.
        public let title: String

        /// Reads `ID=TITLE`, or an `ID` that is its own title.
        ///
        /// Nil when either is missing.
        public init?(_ text: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let id = parts.first, let title = parts.last, !id.isEmpty, !title.isEmpty else { return nil }
            self.id = id
            self.title = title
        }
    }

    /// The members.
    public private(set) var members: JSONObject

    /// A toast with the members of a document.
    public init(_ members: JSONObject = [:]) {
        self.members = members
    }

    /// Sets a member, unless there is nothing to set it to.
    public mutating func set(_ name: String, _ value: JSON?) {
        if let value { self.members[name] = value }
    }

    /// Sets the buttons, unless there are none.
    ///
    /// - Parameters:
    ///   - actions: The buttons in order.
    ///   - destructive: The ids of those that destroy something.
    public mutating func set(_ actions: [Action], destructive: [String]) {
        guard !actions.isEmpty else { return }
        self.members["actions"] = .array(
            actions.map { action in
                var members: JSONObject = ["id": .string(action.id), "title": .string(action.title)]
                if destructive.contains(action.id) { members["role"] = "destructive" }
                return .object(members)
            }
        )
    }

    /// How long the toast stays: a length of time, or a word that the server knows.
    public static func duration(_ text: String) -> JSON {
        Seconds(text).map { JSON(number: $0.count) } ?? .string(text)
    }

    /// A picture, and what it shows.
    public static func image(_ url: String, alt: String?) -> JSON {
        var image: JSONObject = ["url": .string(url)]
        image["alt"] = alt.map(JSON.string)
        return .object(image)
    }

    /// How far the work is: `3/12`, `0.25`, `25%`, or `?` when nobody knows; nil when the text is none of these.
    public static func progress(_ text: String) -> JSON? {
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
