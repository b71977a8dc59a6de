extension Collection {
    /// The values of all elements; nil when one of them has none.
    func mapAll<Value>(_ value: (Element) -> Value?) -> [Value]? {
        let values = self.compactMap(value)
        return values.count == self.count ? values : nil
    }
}
