extension Sequence {
    /// The values of all elements; nil when one of them has none.
    func mapAll<Value>(_ value: (Element) -> Value?) -> [Value]? {
        var values: [Value] = []
        for element in self {
            guard let value = value(element) else { return nil }
            values.append(value)
        }
        return values
    }
}
