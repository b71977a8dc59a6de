import MicroHTTP
import ToastCore

extension Request {
    /// The channel that the path names.
    func channel() throws(Problem) -> ChannelName {
        try Self.channel(self.parameters["channel"] ?? "")
    }

    static func channel(_ text: String) throws(Problem) -> ChannelName {
        guard let name = ChannelName(rawValue: text) else {
            throw Problem(.invalidChannelName, "A channel's name has 1 to 64 letters, digits, hyphens or underscores.")
        }
        return name
    }

    /// The toast that the path names.
    ///
    /// A text that is no id names no toast.
    func toast() throws(Problem) -> ToastID {
        guard let id = self.parameters["id"].flatMap(ToastID.init) else { throw Problem(.toastNotFound) }
        return id
    }

    /// A parameter of the query that has one value; nil when it is not there.
    func single(_ name: String) throws(Problem) -> String? {
        let values = self.target.values(name)
        // Not the first of several: ignoring the others could do something that the client did not ask for.
        guard values.count <= 1 else { throw Problem(.invalidParameter, "\(name) must not be repeated.") }
        return values.first
    }

    /// A number in the query, within bounds; nil when it is not there.
    func number(_ name: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
        guard let text = try self.single(name) else { return nil }
        // `Double` would also read `+1`, `0x1` and `.5`, which are no numbers of JSON.
        guard let number = Self.value(text)?.number, range.contains(number) else {
            let bounds = "\(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))"
            throw Problem(.invalidParameter, "\(name): a number from \(bounds) is expected.")
        }
        return number
    }

    /// A whole number in the query, within bounds; nil when it is not there.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = try self.single(name) else { return nil }
        guard let number = Self.value(text)?.integer.flatMap({ Int(exactly: $0) }), range.contains(number) else {
            let bounds = "\(range.lowerBound) to \(range.upperBound)"
            throw Problem(.invalidParameter, "\(name): a whole number from \(bounds) is expected.")
        }
        return number
    }

    /// A JSON value; nil when the text is none, or has white space: a `+` in a query is a blank.
    private static func value(_ text: String) -> JSON? {
        guard !text.contains(where: \.isWhitespace) else { return nil }
        return try? JSON(parsing: Array(text.utf8), depthLimit: 1)
    }

    /// A parameter of the query that is one of a list of words; nil when it is not there.
    func word<Word: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        _ type: Word.Type
    ) throws(Problem) -> Word? {
        guard let text = try self.single(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidParameter, "\(name): one of \(words) is expected.")
        }
        return word
    }

    private static let jsonType = "application/json"

    /// The media type of the body in lower case, without parameters; nil when none is given.
    var mediaType: String? {
        // Most clients send just this.
        if self.headers.isSpelled("content-type", Self.jsonType) { return Self.jsonType }
        guard let text = self.headers["content-type"] else { return nil }
        return String(text.prefix { $0 != ";" && $0 != " " && $0 != "\t" }).lowercased()
    }

    /// The `charset` of the body's media type; nil when it names none.
    var charset: String? { self.headers["content-type"]?.parameter("charset") }

    /// The languages that the client wants (RFC 9110 §12.5.4); nil when it names none.
    var acceptLanguage: String? {
        let fields = self.headers.list("accept-language")
        return fields.isEmpty ? nil : fields.joined(separator: ",")
    }

    /// Refuses a body with a content coding, because no coding is decoded here.
    ///
    /// Otherwise a proxy that decodes bodies to inspect them would see another body than this server (RFC 9110
    /// §15.5.16, and RFC 7694 for the field of the response).
    func checkCoding() throws(Problem) {
        let codings = self.headers.list("content-encoding")
        guard !self.body.isEmpty, !codings.allSatisfy({ $0.lowercased() == "identity" }) else { return }
        var problem = Problem(.unsupportedMediaType, "Send the body without a content coding.")
        problem.headers = [("Accept-Encoding", "identity")]
        throw problem
    }

    /// The body as a JSON document.
    ///
    /// - Parameters:
    ///   - depth: The most arrays and objects within each other.
    ///   - types: The media types that are accepted beside `application/json`.
    ///   - others: Media types that the caller accepts instead of JSON; here only named in the problem.
    /// - Returns: The document.
    /// - Throws: The problem with the media type or the text.
    func json(depth: Int, _ types: [String] = [], or others: [String] = []) throws(Problem) -> JSON {
        guard let type = self.mediaType, type == Self.jsonType || types.contains(type) else {
            let names = types + [Self.jsonType] + others
            let list =
                names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " or " + names[names.count - 1]
            throw Problem(.unsupportedMediaType, "Send \(list).")
        }
        return try Self.json(self.body, depth: depth)
    }

    static func json(_ bytes: [UInt8], depth: Int) throws(Problem) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSON(parsing: bytes, depthLimit: depth)
        } catch {
            throw Problem(from: error)
        }
    }

    /// Whether a validator of the client matches an entity tag (RFC 9110 §13.1.2, weak comparison).
    func hasMatch(_ tag: String) -> Bool {
        self.headers.list("if-none-match").contains { validator in
            validator == "*" || validator == tag || validator == "W/" + tag
        }
    }

    /// Whether the client accepts a content coding (RFC 9110 §12.5.3): an explicit `q=0` refuses it, and a `*` stands
    /// for codings that are not named.
    func accepts(encoding: String) -> Bool {
        let elements = self.headers.list("accept-encoding").map { element in
            element.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
        }
        guard let parts = elements.first(where: { $0.first == encoding }) ?? elements.first(where: { $0.first == "*" })
        else { return false }
        return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

extension String {
    /// The value of the first parameter with this name, which is in lower case, among `name=value` with semicolons
    /// between; without blanks and quotes.
    func parameter(_ name: String) -> String? {
        for parameter in self.split(separator: ";") {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { !" \t\"".contains($0) } }
            if parts.count == 2, parts[0].lowercased() == name { return parts[1] }
        }
        return nil
    }
}

/// The client's preferences (RFC 7240).
struct Preferences {
    /// `return=minimal`: no body where the header fields are enough.
    let isMinimal: Bool

    /// `wait=N`, in whole seconds; nil when it is missing or no number.
    let wait: Int?

    /// `withdraw`: a question is dismissed when the connection that asked it is lost.
    let withdraws: Bool

    init(_ request: Request) {
        // §2: "If any preference is specified more than once, only the first instance is to be considered."
        // Unknown preferences and all parameters are ignored.
        var preferences: [String: String] = [:]
        for text in request.headers.list("prefer") {
            let preference = text.prefix { $0 != ";" }
            let parts = preference.split(separator: "=", maxSplits: 1).map { $0.filter { !"\" \t".contains($0) } }
            guard let name = parts.first?.lowercased(), preferences[name] == nil else { continue }
            preferences[name] = parts.count == 2 ? parts[1].lowercased() : ""
        }
        self.isMinimal = preferences["return"] == "minimal"
        self.wait = preferences["wait"].flatMap(Self.seconds)
        self.withdraws = preferences["withdraw"] == ""
    }

    /// Reads `delta-seconds`: digits; a number too large for `Int` is the largest `Int`.
    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int(text) ?? .max
    }
}
