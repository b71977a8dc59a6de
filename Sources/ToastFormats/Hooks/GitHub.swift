import ToastCore

/// GitHub's webhooks (docs.github.com/webhooks/webhook-events-and-payloads): pushes and workflow runs.
enum GitHub {
    static func toasts(of input: FormatInput, _ mapping: HookMapping) throws(FormatError) -> HookToasts {
        let object = try input.object(inField: "payload")
        let repository = object["repository"]?["full_name"]?.string
        switch input.field("x-github-event") {
        case "push":
            guard object["deleted"] != true else {
                return .nothing("/deleted", "The end of a branch or tag makes no toast.")
            }
            return try mapping.single(try Self.push(object, repository, input.limits))
        case "workflow_run":
            guard let run = object["workflow_run"]?.object else {
                throw .invalid("/workflow_run", "A workflow run is expected.")
            }
            return try mapping.single(Self.run(run, repository, input.limits))
        case nil: throw .invalid("", "The field X-GitHub-Event is expected.")
        default: return .nothing("", "Only pushes and workflow runs become toasts.")
        }
    }

    private static func push(
        _ push: JSONObject,
        _ repository: String?,
        _ limits: Limits
    ) throws(FormatError) -> ToastMapping {
        let reference = push.text("ref") ?? ""
        let commits = push["commits"]?.array ?? []
        guard !reference.isEmpty || !commits.isEmpty else { throw .noText }
        let branch = reference.trimmingReference
        var toast = ToastMapping(limits)
        toast.drop(membersOf: push, withoutTextIn: ["ref", "compare"])
        if let value = push["commits"], value != .null, value.array == nil {
            toast.drop("/commits", "A list is expected; it is dropped.")
        }
        toast.title([repository, branch].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": "))
        let author = push["pusher"]?["name"]?.string ?? push["sender"]?["login"]?.string
        if reference.hasPrefix("refs/tags/") {
            toast.message(Commits.message("Tagged", by: author))
        } else {
            let isNew = push["created"] == true
            toast.message(Commits.message(commits, total: nil, isNewBranch: isNew, by: author))
        }
        toast.link(push.text("compare"), at: "/compare")
        return toast
    }

    private static func run(_ run: JSONObject, _ repository: String?, _ limits: Limits) -> ToastMapping {
        var toast = ToastMapping(limits)
        toast.title([repository, run.text("name")].compactMap(\.self).joined(separator: ": "))
        let outcome = run.text("conclusion") ?? run.text("status") ?? "requested"
        let place = [run.text("head_branch"), run.text("display_title")].compactMap(\.self).joined(separator: ", ")
        let words = outcome.cut(to: limits.textLength).replacing("_", with: " ")
        toast.message([words, place].filter { !$0.isEmpty }.joined(separator: ": "))
        switch outcome {
        case "success": toast.role(.success)
        case "failure", "timed_out", "startup_failure": toast.role(.error)
        case "cancelled", "action_required", "stale": toast.role(.warning)
        default: break
        }
        toast.link(run.text("html_url"), at: "/workflow_run/html_url")
        if let id = run["id"]?.integer { toast.replace("github-run-\(id)") }
        return toast
    }
}

/// The commits of a push, in a few lines.
enum Commits {
    /// A line such as "Tagged by ann"; without " by ann" when the author is unknown.
    static func message(_ deed: String, by author: String?) -> String { deed + (author.map { " by \($0)" } ?? "") }

    static func message(_ commits: [JSON], total: Int?, isNewBranch: Bool, by author: String?) -> String {
        let count = total ?? commits.count
        guard count > 0 else { return Self.message(isNewBranch ? "Created" : "Pushed", by: author) }
        let head = Self.message("\(count) \(count == 1 ? "commit" : "commits")", by: author)
        let lines = commits.suffix(3).compactMap { commit in
            commit["message"]?.string?.split(whereSeparator: \.isNewline).first.map { String($0).cut(to: 120) }
        }
        return ([head] + lines).joined(separator: "\n")
    }
}

extension String {
    /// A branch or tag without `refs/heads/` or `refs/tags/`.
    var trimmingReference: String {
        for prefix in ["refs/heads/", "refs/tags/"] where self.hasPrefix(prefix) {
            return String(self.dropFirst(prefix.count))
        }
        return self
    }
}
