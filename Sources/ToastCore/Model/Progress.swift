/// How far the work is that a toast tells of.
public enum Progress: Hashable, Sendable {
    /// So much of a total, from nothing to all of it.
    case determinate(value: Double, total: Double)

    /// Nobody knows.
    case indeterminate
}

extension Progress: JSONWritable {
    /// Writes `{"value", "total"}` or `{"indeterminate": true}`.
    public func write(to writer: inout JSONWriter) { self.json.write(to: &writer) }

    /// The progress as a publisher would send it.
    var json: JSON {
        switch self {
        case .determinate(let value, let total): ["value": JSON(number: value), "total": JSON(number: total)]
        case .indeterminate: ["indeterminate": true]
        }
    }
}

extension Issues {
    /// A progress whose value is clamped to its total (ToastUI leaves it to chance).
    mutating func progress(_ value: JSON) -> Progress? {
        guard let object = self.object(value) else { return nil }
        if object["indeterminate"] == .bool(true) { return .indeterminate }
        guard let value = object["value"]?.number else {
            return self.refuse(#"A number is expected, or {"indeterminate": true} as the progress."#, at: "/value")
        }
        guard let total = (object["total"] ?? 1).number, total > 0 else {
            return self.refuse("A number greater than 0 is expected.", at: "/total")
        }
        return .determinate(value: min(max(value, 0), total), total: total)
    }
}
