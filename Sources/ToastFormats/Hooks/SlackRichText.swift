import ToastCore

/// The text of a block `rich_text`, which has styles instead of marks
/// (docs.slack.dev/reference/block-kit/blocks/rich-text-block).
enum SlackRichText {
    /// The lines of an element of the block that have text; `nil` when it is of an unknown type.
    static func lines(of element: JSONObject) -> [String]? {
        switch element.text("type") {
        case "rich_text_section", "rich_text_quote", "rich_text_preformatted":
            return [self.text(of: element)].filter { !$0.isEmpty }
        case "rich_text_list":
            let isNumbered = element.text("style") == "ordered"
            let items = (element["elements"]?.array ?? []).compactMap { $0.object.map(self.text) }
            return items.enumerated().map { isNumbered ? "\($0 + 1). \($1)" : "• \($1)" }
        default: return nil
        }
    }

    private static func text(of section: JSONObject) -> String {
        (section["elements"]?.array ?? []).compactMap { $0.object.flatMap(self.text(ofPart:)) }.joined().trimmed
    }

    private static func text(ofPart part: JSONObject) -> String? {
        switch part.text("type") {
        case "text": part["text"]?.string
        case "link": part["text"]?.string ?? part["url"]?.string
        case "emoji": part["name"]?.string.map { EmojiNames.signs[$0] ?? ":\($0):" }
        case "user": part["user_id"]?.string.map { "@" + $0 }
        case "usergroup": part["usergroup_id"]?.string.map { "@" + $0 }
        case "broadcast": part["range"]?.string.map { "@" + $0 }
        case "channel": part["channel_id"]?.string.map { "#" + $0 }
        case "date":
            part["fallback"]?.string
                ?? part["timestamp"]?.integer.map { Instant(clampingWallClock: Double($0)).minutes }
        case "color": part["value"]?.string
        default: nil
        }
    }
}
