import ToastCore

/// GitLab's webhooks (docs.gitlab.com/user/project/integrations/webhook_events): pushes, tags and pipelines.
enum GitLab {
    static func toasts(of input: FormatInput, _ mapping: HookMapping) throws(FormatError) -> HookToasts {
        let object = try input.object()
        let project = object["project"]?["path_with_namespace"]?.string
        switch object.text("object_kind") {
        case "push", "tag_push":
            guard object["checkout_sha"]?.string != nil else {
                return .nothing("/checkout_sha", "The end of a branch or tag makes no toast.")
            }
            return try mapping.single(Self.push(object, project, input.limits))
        case "pipeline":
            guard let pipeline = object["object_attributes"]?.object else {
                throw .invalid("/object_attributes", "A pipeline is expected.")
            }
            return try mapping.single(Self.pipeline(pipeline, of: object, project, input.limits))
        case nil where object.text("event_name") != nil:
            return .nothing("/event_name", "Only pushes, tags and pipelines become toasts.")
        case nil: throw .invalid("/object_kind", "The kind of the event is expected.")
        default: return .nothing("/object_kind", "Only pushes, tags and pipelines become toasts.")
        }
    }

    private static func push(_ push: JSONObject, _ project: String?, _ limits: Limits) -> ToastMapping {
        var toast = ToastMapping(limits)
        let branch = (push.text("ref") ?? "").trimmingReference
        toast.title([project, branch].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": "))
        let author = push.text("user_name") ?? push.text("user_username")
        if push.text("object_kind") == "tag_push" {
            toast.message(Commits.message("Tagged", by: author))
        } else {
            let total = push["total_commits_count"]?.integer.map { Int(clamping: $0) }
            // A new branch has no commit before.
            let isNew = push.text("before")?.allSatisfy { $0 == "0" } ?? false
            toast.message(
                Commits.message(push["commits"]?.array ?? [], total: total, isNewBranch: isNew, by: author)
            )
        }
        let page = push["project"]?["web_url"]?.string
        if let page, let id = push.text("checkout_sha") { toast.link("\(page)/-/commit/\(id)", at: "/project/web_url") }
        return toast
    }

    private static func pipeline(
        _ pipeline: JSONObject,
        of event: JSONObject,
        _ project: String?,
        _ limits: Limits
    ) -> ToastMapping {
        var toast = ToastMapping(limits)
        let id = pipeline["id"]?.integer
        toast.title([project, id.map { "Pipeline #\($0)" }].compactMap(\.self).joined(separator: ": "))
        let status = pipeline.text("status") ?? "created"
        let commit = event["commit"]?["title"]?.string
        let place = [pipeline.text("ref"), commit].compactMap(\.self).joined(separator: ", ")
        let words = status.cut(to: limits.textLength).replacing("_", with: " ")
        toast.message([words, place].filter { !$0.isEmpty }.joined(separator: ": "))
        switch status {
        case "success": toast.role(.success)
        case "failed": toast.role(.error)
        case "canceled", "skipped", "manual": toast.role(.warning)
        default: break
        }
        let page = event["project"]?["web_url"]?.string
        if let url = pipeline.text("url") {
            toast.link(url, at: "/object_attributes/url")
        } else if let page, let id {
            toast.link("\(page)/-/pipelines/\(id)", at: "/project/web_url")
        }
        if let id { toast.replace("gitlab-pipeline-\(id)") }
        return toast
    }
}
