/// Changes to a toast: a JSON Merge Patch (RFC 7396) over the members that a publisher can write.
///
/// Other members are ignored, so what was read can be sent back changed. `null` takes a member back to its default,
/// except that a `title` of `null` is no title; `{"automatic": true}` is the role's own. Whether the changes are valid shows
/// when they meet their toast.
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

    /// What of the patch is ignored; what is the server's to say may be there as it was read.
    ///
    /// - Parameter toast: The toast, changed.
    /// - Returns: The warnings; pointers lead from the patch.
    public func warnings(for toast: Toast) -> [Warning] {
        var issues = Issues(limits: self.limits)
        var reader = DraftReader(draft: ToastDraft(), isPatch: true)
        reader.read(self.members, &issues)
        let written = self.members.filter { ToastMember.writtenByServer.contains($0.key) }
        guard !written.isEmpty else { return issues.warnings }
        let current = JSON(writing: toast)
        // The patch itself has made another revision.
        for (name, value) in written
        where !["revision", "warnings"].contains(name) && value != (current[name] ?? .null) {
            issues.member(name) { $0.warn("This member is the server's to say; it is ignored.") }
        }
        return issues.warnings
    }

    /// Whether the patch says anything about the duration, and so starts the countdown anew.
    var namesDuration: Bool { self.members["duration"] != nil }

    /// Whether the patch says that the work of a pressed action is over: so does all but how far it is, and actions that
    /// say themselves whether they are pending.
    var settlesActions: Bool {
        self.members["actions"] == nil && self.members.contains { $0.key != "progress" }
    }
}
