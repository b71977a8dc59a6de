import ToastCore

/// Reads an object of a message, and stops at the first invalid member.
struct MessageReader {
    let object: JSONObject

    init(_ json: JSON, of name: String) throws(MessageError) {
        guard let object = json.object else { throw .member(name) }
        self.object = object
    }

    /// A member that must be there.
    func value(_ name: String) throws(MessageError) -> JSON {
        guard let value = self.object[name] else { throw .member(name) }
        return value
    }

    /// A text that `parse` accepts.
    func read<Value>(_ name: String, _ parse: (String) -> Value?) throws(MessageError) -> Value {
        guard let text = self.object[name]?.string, let value = parse(text) else { throw .member(name) }
        return value
    }

    /// A text that `parse` accepts, if the member is there.
    func optional<Value>(_ name: String, _ parse: (String) -> Value?) throws(MessageError) -> Value? {
        guard self.object[name] != nil else { return nil }
        return try self.read(name, parse)
    }

    func text(_ name: String) throws(MessageError) -> String { try self.read(name) { $0 } }

    /// Whether a member is true; false when it is not there.
    func flag(_ name: String) throws(MessageError) -> Bool {
        guard let value = self.object[name] else { return false }
        guard let flag = value.bool else { throw .member(name) }
        return flag
    }

    /// A number without a fraction.
    func integer(_ name: String) throws(MessageError) -> Int64 {
        guard let number = self.object[name]?.integer else { throw .member(name) }
        return number
    }

    /// A number without a fraction that is not negative.
    func count(_ name: String) throws(MessageError) -> Int {
        guard let number = Int(exactly: try self.integer(name)), number >= 0 else { throw .member(name) }
        return number
    }

    func offset(_ name: String) throws(MessageError) -> Offset {
        let offset = Offset(rawValue: try self.integer(name))
        guard (.origin ... .greatest).contains(offset) else { throw .member(name) }
        return offset
    }

    /// An instant in nanoseconds of the wall clock: finer than the texts of instants in events.
    func instant(_ name: String) throws(MessageError) -> Instant {
        Instant(nanoseconds: try self.integer(name))
    }

    /// A length of time in nanoseconds.
    func interval(_ name: String) throws(MessageError) -> Interval {
        Interval(nanoseconds: try self.integer(name))
    }

    func reader(_ name: String) throws(MessageError) -> Self { try Self(self.value(name), of: name) }

    /// The values of an array that `read` accepts; none when the member is not there.
    func list<Value>(_ name: String, _ read: (JSON) throws(MessageError) -> Value) throws(MessageError) -> [Value] {
        guard let member = self.object[name] else { return [] }
        guard let values = member.array else { throw .member(name) }
        return try values.map(read)
    }

    /// The objects of an array that `read` accepts; none when the member is not there.
    func objects<Value>(_ name: String, _ read: (Self) throws(MessageError) -> Value) throws(MessageError) -> [Value] {
        try self.list(name) { json throws(MessageError) in try read(Self(json, of: name)) }
    }

    /// The texts of an array that `parse` accepts; none when the member is not there.
    func texts<Value>(_ name: String, _ parse: (String) -> Value?) throws(MessageError) -> [Value] {
        try self.list(name) { value throws(MessageError) in
            guard let value = value.string.flatMap(parse) else { throw .member(name) }
            return value
        }
    }
}

extension JSONWriter {
    /// Writes a member unless it is false.
    mutating func flag(_ name: StaticString, _ flag: Bool) {
        if flag { self.member(name, true) }
    }

    /// Writes a list unless it is empty.
    mutating func list(_ name: StaticString, _ values: [some JSONWritable]) {
        if !values.isEmpty { self.member(name, values) }
    }

    /// Writes a list of objects, whose members `write` writes, unless it is empty.
    mutating func objects<Value>(_ name: StaticString, _ values: [Value], _ write: (Value, inout Self) -> Void) {
        guard !values.isEmpty else { return }
        self.array(name) { writer in
            for value in values { writer.object { writer in write(value, &writer) } }
        }
    }
}
