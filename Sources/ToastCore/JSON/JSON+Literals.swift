// JSON is not expressible by `nil` on purpose: where a `JSON?` is meant, `nil` would silently become `null`.
extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A number without a fraction.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number, an integer when it has no fraction.
    public init(floatLiteral value: Double) { self = JSON(number: value) }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Values in order.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// Named values in order; of two with one name the later counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}

extension JSON {
    /// The value of a finite number in its one form: an integer when it has no fraction and lies within ±2⁵³,
    /// where every integer has a double of its own.
    public init(number: Double) {
        guard number.magnitude <= 0x1p53, let integer = Int64(exactly: number) else {
            self = .double(number)
            return
        }
        self = .integer(integer)
    }
}
