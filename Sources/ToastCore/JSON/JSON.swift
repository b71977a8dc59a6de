/// A JSON value (RFC 8259), as this service keeps it.
///
/// Numbers have one form each: a number without a fraction is an ``integer(_:)`` when it is written without one or
/// lies within ±2⁵³, so `4`, `4.0` and `4e0` are the same value, and what is written and read again is equal.
public enum JSON: Hashable, Sendable {
    /// The literal `null`.
    case null

    /// `true` or `false`.
    case bool(Bool)

    /// A number without a fraction.
    case integer(Int64)

    /// Any other number; finite.
    case double(Double)

    /// A text, already without escapes.
    case string(String)

    /// Values in order.
    case array([JSON])

    /// Named values in the order in which they were written.
    case object(JSONObject)
}

extension JSON {
    /// Whether both are the same value: texts code point by code point (RFC 8259 §8.3), members in the same order.
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.double(let one), .double(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// The text, if the value is one.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The truth value, if the value is one.
    public var bool: Bool? { if case .bool(let truth) = self { truth } else { nil } }

    /// The number without a fraction, if the value is one.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The number, if the value is one, with or without a fraction.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// A value that people can read: a text, a number, true or false.
    package var readable: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .bool(let truth): String(truth)
        default: nil
        }
    }

    /// The values, if the value is an array.
    public var array: [JSON]? { if case .array(let values) = self { values } else { nil } }

    /// The named values, if the value is an object.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// The value of a member, if the value is an object that has it.
    public subscript(name: String) -> JSON? { self.object?[name] }
}
