extension JSON {
    /// How many arrays and objects may be nested, unless the caller says otherwise.
    public static let standardDepthLimit = 16

    /// Reads one JSON text and nothing else, as strictly as RFC 8259 allows.
    ///
    /// Invalid UTF-8, duplicate member names, lone surrogates, numbers beyond a double's range and anything after the
    /// value are refused (I-JSON, RFC 7493 §2), and more than `String.mostMarks` combining marks in a row. Time
    /// and memory are linear in the number of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8, without a byte order mark.
    ///   - depthLimit: How many arrays and objects may be nested; also bounds the stack.
    ///   - limitsMarks: Whether combining marks are limited; false for documents that any version of this service
    ///     wrote.
    /// - Throws: The first fault.
    public init(
        parsing bytes: [UInt8],
        depthLimit: Int = Self.standardDepthLimit,
        limitsMarks: Bool = true
    ) throws(JSONSyntaxError) {
        var parser = JSONParser(bytes: bytes, depthLimit: depthLimit, limitsMarks: limitsMarks)
        self = try parser.document()
    }
}

/// A recursive-descent parser over an array of bytes; each method reads one production of RFC 8259.
struct JSONParser {
    let bytes: [UInt8]
    let depthLimit: Int
    let limitsMarks: Bool
    var index = 0
    var depth = 0

    /// From this number of members on, names are looked up in a set, so that a hostile object takes no quadratic time.
    ///
    /// The set is of bytes: other spellings of the same characters are other names (RFC 8259 §8.3), but equal as
    /// `String`s, with the same hash.
    private static let fewMembers = 16

    /// `JSON-text = ws value ws`.
    mutating func document() throws(JSONSyntaxError) -> JSON {
        let value = try self.value()
        guard self.nextToken() == nil else { throw self.fault("Nothing may follow the JSON value.") }
        return value
    }

    private mutating func value() throws(JSONSyntaxError) -> JSON {
        guard let byte = self.nextToken() else { throw self.fault("The JSON text ends where a value is expected.") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try self.object())
        case UInt8(ascii: "["): return .array(try self.array())
        case UInt8(ascii: "\""): return .string(try self.string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try self.number()
        case UInt8(ascii: "t"): return try self.literal("true", .bool(true))
        case UInt8(ascii: "f"): return try self.literal("false", .bool(false))
        case UInt8(ascii: "n"): return try self.literal("null", .null)
        default: throw self.fault("A value is expected here.")
        }
    }

    private mutating func object() throws(JSONSyntaxError) -> JSONObject {
        try self.enter()
        var object = JSONObject()
        var names: Set<[UInt8]> = []
        if self.nextToken() == UInt8(ascii: "}") { return self.leave(with: object) }
        while true {
            guard self.nextToken() == UInt8(ascii: "\"") else { throw self.fault("A member name is expected here.") }
            let start = self.index
            let name = try self.string()
            guard self.isNew(name, in: object, &names) else {
                throw JSONSyntaxError(offset: start, detail: "The object has this member twice.").inside(name)
            }
            try self.expect(UInt8(ascii: ":"), "A colon is expected here.")
            do {
                object.append(name, try self.value())
            } catch {
                throw error.inside(name)
            }
            if self.nextToken() == UInt8(ascii: "}") { return self.leave(with: object) }
            try self.expect(UInt8(ascii: ","), "A comma or the end of the object is expected here.")
        }
    }

    private func isNew(_ name: String, in object: JSONObject, _ names: inout Set<[UInt8]>) -> Bool {
        guard object.count >= Self.fewMembers else { return object[name] == nil }
        if names.isEmpty { names = Set(object.map { Array($0.key.utf8) }) }
        return names.insert(Array(name.utf8)).inserted
    }

    private mutating func array() throws(JSONSyntaxError) -> [JSON] {
        try self.enter()
        var values: [JSON] = []
        if self.nextToken() == UInt8(ascii: "]") { return self.leave(with: values) }
        while true {
            do {
                values.append(try self.value())
            } catch {
                throw error.inside(String(values.count))
            }
            if self.nextToken() == UInt8(ascii: "]") { return self.leave(with: values) }
            try self.expect(UInt8(ascii: ","), "A comma or the end of the array is expected here.")
        }
    }

    private mutating func literal(_ text: String, _ value: JSON) throws(JSONSyntaxError) -> JSON {
        guard self.bytes[self.index...].starts(with: text.utf8) else { throw self.fault("A value is expected here.") }
        self.index += text.utf8.count
        return value
    }
}
