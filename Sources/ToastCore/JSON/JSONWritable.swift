/// A value that has a form in JSON.
public protocol JSONWritable {
    /// Writes the value, and nothing else.
    func write(to writer: inout JSONWriter)
}

extension JSONWritable {
    /// The value as a JSON document.
    public var encoded: [UInt8] {
        var writer = JSONWriter()
        self.write(to: &writer)
        return writer.bytes
    }
}

extension JSON: JSONWritable {
    /// Writes the value; reading it back gives an equal one.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let truth): truth.write(to: &writer)
        case .integer(let number): writer.integer(number)
        case .double(let number): number.write(to: &writer)
        case .string(let text): writer.string(text)
        case .array(let values): values.write(to: &writer)
        case .object(let object): object.write(to: &writer)
        }
    }

    /// The value as JSON text.
    public var bytes: [UInt8] { self.encoded }

    /// What a value writes, read again.
    package init(writing value: some JSONWritable) {
        self = (try? JSON(stored: value.encoded)) ?? .null
    }

    /// The value as JSON text.
    var text: String { String(decoding: self.bytes, as: UTF8.self) }
}

extension JSONObject: JSONWritable {
    /// Writes the members in their order.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in self { writer.member(named: name, value) }
        }
    }
}

extension String: JSONWritable {
    /// Writes the text between quotes.
    public func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONWritable {
    /// Writes `true` or `false`.
    public func write(to writer: inout JSONWriter) { writer.token(self ? "true" : "false") }
}

extension Int: JSONWritable {
    /// Writes the number.
    public func write(to writer: inout JSONWriter) { writer.integer(Int64(self)) }
}

extension Int64: JSONWritable {
    /// Writes the number.
    public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: JSONWritable {
    /// Writes the shortest text that reads back as this number, `4` instead of `4.0`; `null` when it is not finite.
    public func write(to writer: inout JSONWriter) {
        guard self.isFinite else { return writer.null() }
        guard case .integer(let integer) = JSON(number: self) else { return writer.token(self.description) }
        writer.integer(integer)
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes the values in their order.
    public func write(to writer: inout JSONWriter) {
        writer.array { writer in
            for value in self { value.write(to: &writer) }
        }
    }
}

extension RawRepresentable<String> where Self: JSONWritable & CaseIterable {
    /// Writes the name, which is one of ours and needs no escapes.
    public func write(to writer: inout JSONWriter) { writer.plain(self.rawValue) }
}

extension RawRepresentable<String> where Self: JSONWritable {
    /// Writes the name.
    public func write(to writer: inout JSONWriter) { writer.string(self.rawValue) }
}
