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

    /// A text.
    func text(_ name: String) throws(MessageError) -> String { try self.read(name) { $0 } }

    /// One of the names of an enumeration.
    func choice<Choice: RawRepresentable<String>>(_ name: String, _: Choice.Type) throws(MessageError) -> Choice {
        try self.read(name, Choice.init(rawValue:))
    }

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

    /// An offset.
    func offset(_ name: String) throws(MessageError) -> Offset {
        let offset = Offset(rawValue: try self.integer(name))
        guard (.origin ... .greatest).contains(offset) else { throw .member(name) }
        return offset
    }

    /// An instant in nanoseconds.
    func instant(_ name: String) throws(MessageError) -> Instant {
        Instant(nanoseconds: try self.integer(name))
    }

    /// A length of time in nanoseconds.
    func interval(_ name: String) throws(MessageError) -> Interval {
        Interval(nanoseconds: try self.integer(name))
    }

    /// An object.
    func reader(_ name: String) throws(MessageError) -> Self { try Self(self.value(name), of: name) }

    /// The values of an array that `read` accepts; none when the member is not there.
    func list<Value>(_ name: String, _ read: (JSON) throws(MessageError) -> Value) throws(MessageError) -> [Value] {
        guard let member = self.object[name] else { return [] }
        guard let values = member.array else { throw .member(name) }
        var list: [Value] = []
        list.reserveCapacity(values.count)
        for value in values { list.append(try read(value)) }
        return list
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

    /// Writes a list unless it is empty.
    mutating func list<Value>(_ name: StaticString, _ values: [Value], _ write: (Value, inout JSONWriter) -> Void) {
        guard !values.isEmpty else { return }
        self.name(name)
        self.array { writer in
            for value in values { write(value, &writer) }
        }
    }

    /// Writes a length of time in nanoseconds, if there is one.
    mutating func nanoseconds(_ name: StaticString, _ interval: Interval?) {
        self.member(name, interval?.nanoseconds)
    }

    /// Writes an instant in nanoseconds, if there is one: finer than the texts of instants in events.
    mutating func nanoseconds(_ name: StaticString, _ instant: Instant?) {
        self.member(name, instant?.nanoseconds)
    }
}
