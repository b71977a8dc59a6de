/// Reads an object that this service wrote, and stops at the first invalid member.
struct RecordReader {
    let record: JSON

    /// A member that must be there.
    func member(_ name: String) throws(ValidationError) -> JSON {
        guard let value = self.record[name] else { throw self.error(name) }
        return value
    }

    /// A text that `parse` accepts.
    func read<Value>(_ name: String, _ parse: (String) -> Value?) throws(ValidationError) -> Value {
        guard let text = self.record[name]?.string, let value = parse(text) else { throw self.error(name) }
        return value
    }

    /// A text that `parse` accepts, if the member is there.
    func optional<Value>(_ name: String, _ parse: (String) -> Value?) throws(ValidationError) -> Value? {
        guard self.record[name] != nil else { return nil }
        return try self.read(name, parse)
    }

    /// A number without a fraction.
    func integer(_ name: String) throws(ValidationError) -> Int {
        guard let number = self.record[name]?.integer, let integer = Int(exactly: number) else {
            throw self.error(name)
        }
        return integer
    }

    func offset(_ name: String) throws(ValidationError) -> Offset {
        let offset = Offset(rawValue: Int64(try self.integer(name)))
        guard (.origin ... .greatest).contains(offset) else { throw self.error(name) }
        return offset
    }

    /// A length of time in seconds.
    func seconds(_ name: String) throws(ValidationError) -> Interval {
        guard let seconds = self.record[name]?.number else { throw self.error(name) }
        return Interval(milliseconds: Int64(exactly: (seconds * 1000).rounded()) ?? .max)
    }

    /// A length of time in seconds, if it is there.
    func optionalSeconds(_ name: String) throws(ValidationError) -> Interval? {
        guard self.record[name] != nil else { return nil }
        return try self.seconds(name)
    }

    func array(_ name: String) throws(ValidationError) -> [JSON] {
        guard let values = self.record[name]?.array else { throw self.error(name) }
        return values
    }

    /// The error of an invalid member.
    func error(_ name: String) -> ValidationError {
        ValidationError("/\(name)", "This is not what the service writes.")
    }
}

extension JSON {
    /// Reads what this service wrote, which is nested deeper than what publishers may send.
    package init(stored bytes: [UInt8]) throws(ValidationError) {
        do {
            self = try JSON(parsing: bytes, depthLimit: 2 * Limits.standard.depth, limitsMarks: false)
        } catch {
            throw ValidationError(error.pointer ?? "", error.detail)
        }
    }
}
