/// Changes to a toast: a JSON Merge Patch (RFC 7396) over the members that a publisher can write.
///
/// Other members are ignored, so that a client can send back a toast that it read and changed. `null` resets a member
/// to its default, except that a `title` of `null` is no title; `{"automatic": true}` is the role's own. The changes
/// are checked when they are applied to a toast.
public struct ToastPatch: Hashable, Sendable {
    /// The changes as they were sent.
    package let members: JSONObject

    package let limits: Limits

    /// Reads a patch, which must be an object.
    public init(json: JSON, limits: Limits = .standard) throws(ValidationError) {
        guard let members = json.object else { throw ValidationError("", "An object is expected.") }
        self.members = members
        self.limits = limits
    }

    /// Warnings about what was ignored when a toast was changed; their pointers are relative to the patch.
    ///
    /// `toast` is the changed toast. Members that only the server writes may be repeated as they were read.
    public func warnings(for toast: Toast) -> [Warning] {
        var issues = Issues(limits: self.limits)
        // Objects are merged into the toast's values once more: on its own, a part of one may be no valid value.
        var reader = DraftReader(draft: toast.content.draft, isPatch: true)
        reader.read(self.members, &issues)
        if toast.state == .presented, case .string? = self.members["notBefore"] {
            issues.member("notBefore") { $0.warn("The toast is on screen, so it waits for nothing; it is ignored.") }
        }
        let written = self.members.filter { ToastMember.writtenByServer.contains($0.key) }
        guard !written.isEmpty else { return issues.warnings }
        let current = JSON(writing: toast)
        // The patch itself has changed the revision.
        for (name, value) in written
        where !["revision", "warnings"].contains(name) && value != (current[name] ?? .null) {
            issues.member(name) { $0.warn("This member is the server's to say; it is ignored.") }
        }
        return issues.warnings
    }

    /// Whether the patch sets the duration, and so restarts the countdown.
    var namesDuration: Bool { self.members["duration"] != nil }

    /// Whether the patch ends the pending state of actions: any change does, except of `progress` alone, and unless the
    /// patch itself sets the actions.
    var endsPendingActions: Bool {
        self.members["actions"] == nil && self.members.contains { $0.key != "progress" }
    }
}
