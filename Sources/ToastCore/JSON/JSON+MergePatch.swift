extension JSON {
    /// This value as a JSON Merge Patch, applied to another (RFC 7396 §2).
    ///
    /// Members keep their order, new ones come last. The time grows with the number of members only, as in
    /// ``JSONParser``: names are looked up by their bytes.
    func merged(onto target: JSON?) -> JSON {
        guard case .object(let patch) = self else { return self }
        let old = target?.object ?? JSONObject()
        let changes = Dictionary(uniqueKeysWithValues: patch.map { (Array($0.key.utf8), $0.value) })
        let names = Set(old.map { Array($0.key.utf8) })
        var result = JSONObject()
        for (name, value) in old {
            switch changes[Array(name.utf8)] {
            case .null?: break
            case let change?: result.append(name, change.merged(onto: value))
            case nil: result.append(name, value)
            }
        }
        for (name, change) in patch where change != .null && !names.contains(Array(name.utf8)) {
            result.append(name, change.merged(onto: nil))
        }
        return .object(result)
    }
}
