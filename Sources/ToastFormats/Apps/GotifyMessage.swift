package import ToastCore

/// A message as Gotify's clients publish it (gotify.net/api-docs, `POST /message`).
package struct GotifyMessage: Sendable {
    package let toast: MappedToast

    /// The members that the answer repeats.
    package let echo: JSONObject

    /// Reads JSON or a form.
    ///
    /// - Throws: Why it is refused.
    package init(_ input: FormatInput) throws(FormatError) {
        let object = try input.members()
        guard let text = object.text("message") else { throw .invalid("/message", "A text is expected.") }
        let number = object["priority"]?.number ?? object.text("priority").flatMap { Double($0) } ?? 0
        let priority = Int64(exactly: number.rounded(.down)) ?? 0
        var toast = ToastMapping(input.limits)
        toast.title(object.text("title"))
        toast.message(text)
        switch priority {
        case 8...: toast.role(.error)
        case 4..<8: toast.role(.info)
        default: toast.set("haptic", "none")
        }
        let extras = object["extras"]?.object ?? [:]
        let notification = extras["client::notification"]
        toast.link(notification?["click"]?["url"]?.string, at: "/extras/client::notification/click/url")
        toast.image(notification?["bigImageUrl"]?.string, at: "/extras/client::notification/bigImageUrl")
        if let type = extras["client::display"]?["contentType"]?.string, type != "text/plain" {
            toast.drop("/extras/client::display/contentType", "The text is shown as it is.")
        }
        toast.drop(membersOf: extras, beside: ["client::notification", "client::display"], at: "/extras")
        toast.drop(membersOf: object, beside: ["title", "message", "priority", "extras", "date", "id", "appid"])
        self.toast = try toast.draft()
        var echo: JSONObject = [
            "message": .string(text), "title": .string(object.text("title") ?? ""),
            "priority": .integer(priority),
        ]
        if !extras.isEmpty { echo["extras"] = .object(extras) }
        self.echo = echo
    }
}
