import ToastCore

/// Any JSON document, in which JSON Pointers say where the members of the toast are.
struct Pointers {
    /// The members that a pointer can be given for.
    static let members = ["title", "message", "role", "link", "image", "icon", "reuseIdentifier", "duration"]

    let mapping: HookMapping

    func toast(of input: FormatInput) throws(FormatError) -> ToastMapping {
        let document = try input.json()
        var toast = ToastMapping(input.limits)
        for name in Self.members {
            guard let pointer = self.mapping.pointers[name], let value = document[pointer: pointer], value != .null
            else { continue }
            guard let text = value.readable else {
                toast.drop(pointer, "A text or a number is expected; it is dropped.")
                continue
            }
            self.set(name, text, value, pointer, &toast)
        }
        return toast
    }

    private func set(_ name: String, _ text: String, _ value: JSON, _ pointer: String, _ toast: inout ToastMapping) {
        switch name {
        case "title": toast.title(text, at: pointer)
        case "message": toast.message(text, at: pointer)
        case "link": toast.link(text, at: pointer)
        case "image": toast.image(text, at: pointer)
        case "icon": toast.icon(text, at: pointer)
        case "reuseIdentifier": if !text.isEmpty { toast.replace(text) }
        case "duration":
            if let seconds = value.number, (0...86_400).contains(seconds) { return toast.set("duration", value) }
            toast.drop(pointer, "A number of seconds, at most a day, is expected; it is dropped.")
        default:
            if let role = self.mapping.roles[text] ?? Role(word: text) { return toast.role(role) }
            toast.drop(pointer, "No role is given for this value; it is dropped.")
        }
    }
}
