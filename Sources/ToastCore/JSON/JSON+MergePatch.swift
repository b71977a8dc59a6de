extension JSON {
    /// This value as a JSON Merge Patch, applied to another (RFC 7396 §2).
    ///
    /// Members keep their order, new ones come last. The time grows with the number of members only.
    func merged(onto target: JSON?) -> JSON {
        guard case .object(let patch) = self else { return self }
        let old = target?.object ?? JSONObject()
        let changes = Dictionary(uniqueKeysWithValues: patch.map { (ExactText(text: $0.key), $0.value) })
        let names = Set(old.map { ExactText(text: $0.key) })
        var result = JSONObject()
        for (name, value) in old {
            switch changes[ExactText(text: name)] {
            case .null?: break
            case let change?: result.append(name, change.merged(onto: value))
            case nil: result.append(name, value)
            }
        }
        for (name, change) in patch where change != .null && !names.contains(ExactText(text: name)) {
            result.append(name, change.merged(onto: nil))
        }
        return .object(result)
    }
}
