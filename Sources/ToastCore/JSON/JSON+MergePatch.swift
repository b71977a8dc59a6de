extension JSON {
    /// This value as a JSON Merge Patch, applied to another (RFC 7396 §2).
    ///
    /// - Parameter target: The value to change; `nil` when there is none.
    /// - Returns: The changed value.
    func merged(onto target: JSON?) -> JSON {
        guard case .object(let patch) = self else { return self }
        var result = target?.object ?? JSONObject()
        for (name, value) in patch {
            result[name] = value == .null ? nil : value.merged(onto: result[name])
        }
        return .object(result)
    }
}
