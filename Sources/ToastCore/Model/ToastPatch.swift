/// Changes to a toast: a JSON Merge Patch (RFC 7396) over the members that a publisher can write.
///
/// Other members are ignored, so what was read can be sent back changed. `null` takes a member back to its default,
/// except that a `title` of `null` is no title. Whether the changes are valid shows when they meet their toast.
public struct ToastPatch: Hashable, Sendable {
    /// The changes as they were sent.
    let members: JSONObject

    /// How much the changed toast may hold.
    let limits: Limits

    /// Reads a patch.
    ///
    /// - Parameters:
    ///   - json: An object.
    ///   - limits: How much the changed toast may hold.
    /// - Throws: The issue, when it is no object.
    public init(json: JSON, limits: Limits = .standard) throws(ValidationError) {
        guard let members = json.object else { throw ValidationError("", "An object is expected.") }
        self.members = members
        self.limits = limits
    }

    /// Whether the patch says anything about the duration, and so starts the countdown anew.
    var namesDuration: Bool { self.members["duration"] != nil }
}
