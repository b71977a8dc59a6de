import ToastCore

/// What Apprise itself posts: `json://` and `form://`, and `apprise://`, whose text is called `body`.
enum Apprise {
    static func toast(of input: FormatInput) throws(FormatError) -> ToastMapping {
        let fields = try input.form()
        let object = if let fields { fields.object } else { try input.object() }
        var toast = ToastMapping(input.limits)
        toast.drop(filesOf: fields)
        toast.drop(membersOf: object, withoutTextIn: ["title", "message", "body", "type", "format"])
        toast.title(object.text("title"))
        let name = object.text("message") == nil ? "body" : "message"
        toast.message(object.text(name), at: "/" + name)
        switch object.text("type") {
        case nil, "info": break
        case "success": toast.role(.success)
        case "warning": toast.role(.warning)
        case "failure": toast.role(.error)
        default: toast.drop("/type", "info, success, warning or failure is expected; it is dropped.")
        }
        if let format = object.text("format"), format != "text" {
            toast.drop("/format", "The text is shown as it is.")
        }
        if object["attachments"]?.array?.isEmpty == false || object["attachment"]?.array?.isEmpty == false {
            toast.drop("/attachments", "A toast has no files; they are dropped.")
        }
        let known: Set = [
            "version", "title", "message", "body", "type", "format", "attachments", "attachment", "tag", "tags",
        ]
        toast.drop(membersOf: object, beside: known)
        return toast
    }
}
