import ToastCore

/// Discord's webhooks (docs.discord.com/developers/resources/webhook#execute-webhook).
enum Discord {
    static func toast(of input: FormatInput) throws(FormatError) -> ToastMapping {
        // A message with files is a form: its members are a document in one field, or fields themselves.
        let fields = try input.form()
        let isDocument = fields == nil || fields?["payload_json"] != nil
        let object = try isDocument ? input.object(inField: "payload_json") : input.members()
        var toast = ToastMapping(input.limits)
        toast.drop(filesOf: fields)
        var lines = [object.text("content")].compactMap(\.self)
        var title: String?
        for (index, value) in (object["embeds"]?.array ?? []).enumerated() {
            guard let embed = value.object else { continue }
            let place = "/embeds/\(index)"
            if title == nil {
                title = embed.text("title")
            } else if let more = embed.text("title") {
                lines.append(more)
            }
            if let text = embed.text("description") { lines.append(text) }
            for field in embed["fields"]?.array ?? [] {
                let texts = [field["name"]?.string, field["value"]?.string].compactMap(\.self)
                lines.append(texts.joined(separator: ": "))
            }
            if toast.members["role"] == nil, let color = embed["color"] { Self.color(color, &toast) }
            if toast.members["link"] == nil { toast.link(embed.text("url"), at: place + "/url") }
            if toast.members["image"] == nil {
                let name = embed["image"]?["url"] == nil ? "thumbnail" : "image"
                toast.image(embed[name]?["url"]?.string, at: "\(place)/\(name)/url")
            }
            let known: Set = [
                "title", "description", "fields", "color", "url", "image", "thumbnail", "type", "timestamp",
            ]
            toast.drop(membersOf: embed, beside: known, at: place)
        }
        toast.title(title?.withoutMarkup(toast.limits))
        toast.message(lines.joined(separator: "\n").withoutMarkup(toast.limits))
        toast.drop(membersOf: object, beside: ["content", "embeds", "tts", "allowed_mentions", "flags"])
        return toast
    }

    private static func color(_ value: JSON, _ toast: inout ToastMapping) {
        // Discord's clients send a number; some senders send its text.
        let number = value.integer ?? value.string.flatMap { Int64($0) }
        if let number, (0...0xFF_FFFF).contains(number) { return toast.role(Role(color: Int(number))) }
        if let role = Role(color: value.string) { toast.role(role) }
    }
}
