import ToastCore

/// Slack's incoming webhooks (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks), which Mattermost
/// takes too.
enum Slack {
    static func toast(of input: FormatInput) throws(FormatError) -> ToastMapping {
        let object = try input.object(inField: "payload")
        var reader = Reader(toast: ToastMapping(input.limits))
        reader.read(object)
        return reader.finished()
    }

    /// Goes through a message in the order in which Slack shows it.
    private struct Reader {
        var toast: ToastMapping
        var lines: [String] = []
        var title: String?
        var fallback: String?
        /// How many of the lines only name an author or a source.
        var credits = 0
        /// Whether a part was dropped; if only a title and credits are left then, the fallback is shown, too.
        var isIncomplete = false

        mutating func read(_ message: JSONObject) {
            let text = self.shown(message.text("text"), isPlain: message["mrkdwn"] == false)
            // Slack shows the text beside blocks only where it cannot show these.
            if message["blocks"]?.array?.isEmpty == false {
                self.fallback = text
            } else if let text {
                self.lines.append(text)
            }
            self.read(blocks: message["blocks"], at: "/blocks")
            for (index, value) in (message["attachments"]?.array ?? []).enumerated() {
                if let attachment = value.object { self.read(attachment: attachment, at: "/attachments/\(index)") }
            }
            self.toast.drop(membersOf: message, beside: ["text", "blocks", "attachments", "mrkdwn"])
        }

        consuming func finished() -> ToastMapping {
            if self.lines.count == self.credits, self.title == nil || self.isIncomplete, let fallback {
                self.lines.insert(fallback, at: 0)
            }
            self.toast.title(self.title)
            self.toast.message(self.lines.joined(separator: "\n"))
            return self.toast
        }

        private mutating func add(_ text: String?, isPlain: Bool = false) {
            guard let text = self.shown(text, isPlain: isPlain) else { return }
            self.lines.append(text)
        }

        /// Adds a text object: `mrkdwn` or `plain_text` (docs.slack.dev/reference/block-kit/composition-objects).
        private mutating func add(_ object: JSON?) {
            self.add(object?["text"]?.string, isPlain: object?["type"] == "plain_text")
        }

        private func shown(_ text: String?, isPlain: Bool) -> String? {
            guard let text = text?.withoutMarkup(self.toast.limits, isPlain: isPlain).trimmed else { return nil }
            return text.isEmpty ? nil : text
        }

        private mutating func addCredit(_ text: String?) {
            let count = self.lines.count
            self.add(text)
            self.credits += self.lines.count - count
        }

        private mutating func name(_ text: String?, isPlain: Bool = false) {
            guard let text = self.shown(text, isPlain: isPlain) else { return }
            if self.title == nil { self.title = text } else { self.lines.append(text) }
        }

        private mutating func read(blocks value: JSON?, at place: String) {
            for (index, value) in (value?.array ?? []).enumerated() {
                guard let block = value.object else { continue }
                self.read(block: block, at: "\(place)/\(index)")
            }
        }

        private mutating func read(block: JSONObject, at place: String) {
            switch block.text("type") {
            case "header": self.name(block["text"]?["text"]?.string, isPlain: true)
            case "markdown": self.add(block.text("text"))
            case "section":
                self.add(block["text"])
                for field in block["fields"]?.array ?? [] { self.add(field) }
                if let accessory = block["accessory"]?.object {
                    self.read(element: accessory, at: place + "/accessory")
                }
            case "context", "actions":
                for (index, element) in (block["elements"]?.array ?? []).enumerated() {
                    guard let element = element.object else { continue }
                    self.read(element: element, at: "\(place)/elements/\(index)")
                }
            case "image": self.read(element: block, at: place)
            case "rich_text": self.read(richText: block, at: place)
            case "divider": break
            default:
                self.isIncomplete = true
                self.toast.drop(place, "A toast has nothing to show such a block with; it is dropped.")
            }
        }

        private mutating func read(richText block: JSONObject, at place: String) {
            for (index, value) in (block["elements"]?.array ?? []).enumerated() {
                guard let element = value.object else { continue }
                if let lines = SlackRichText.lines(of: element) {
                    self.lines += lines
                } else {
                    self.isIncomplete = true
                    self.toast.drop("\(place)/elements/\(index)", "Such a text is not known; it is dropped.")
                }
            }
        }

        private mutating func read(element: JSONObject, at place: String) {
            switch element.text("type") {
            case "mrkdwn", "plain_text": self.add(.object(element))
            case "image":
                guard self.toast.members["image"] == nil else {
                    return self.toast.drop(place, "A toast has one image; it is dropped.")
                }
                self.toast.image(element.text("image_url"), element.text("alt_text"), at: place + "/image_url")
            case "button":
                let title = self.shown(element["text"]?["text"]?.string, isPlain: true)
                self.button(title, element.text("url"), at: place)
            default:
                self.isIncomplete = true
                self.toast.drop(place, "A toast has nothing to show such an element with; it is dropped.")
            }
        }

        private mutating func button(_ title: String?, _ url: String?, at place: String) {
            guard let url else {
                return self.toast.drop(place, "A button without a URL does nothing here; it is dropped.")
            }
            self.toast.action(title, url, at: place + "/url")
        }

        private mutating func read(attachment: JSONObject, at place: String) {
            self.add(attachment.text("pretext"))
            self.addCredit(attachment.text("author_name"))
            self.name(attachment.text("title"))
            self.add(attachment.text("text"))
            for field in attachment["fields"]?.array ?? [] {
                let (name, value) = (field["title"]?.string, field["value"]?.readable)
                self.add([name, value].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ": "))
            }
            self.read(blocks: attachment["blocks"], at: place + "/blocks")
            self.addCredit(attachment.text("footer"))
            self.fallback = self.fallback ?? self.shown(attachment.text("fallback"), isPlain: false)
            if self.toast.members["role"] == nil, let role = Role(color: attachment.text("color")) {
                self.toast.role(role)
            }
            if self.toast.members["link"] == nil {
                self.toast.link(attachment.text("title_link"), at: place + "/title_link")
            }
            if self.toast.members["image"] == nil {
                let name = attachment.text("image_url") == nil ? "thumb_url" : "image_url"
                self.toast.image(attachment.text(name), at: "\(place)/\(name)")
            }
            for (index, action) in (attachment["actions"]?.array ?? []).enumerated() {
                let place = "\(place)/actions/\(index)"
                self.button(action["text"]?.string ?? action["name"]?.string, action["url"]?.string, at: place)
            }
            let known: Set = [
                "pretext", "author_name", "title", "text", "footer", "fields", "blocks", "fallback", "color",
                "title_link", "image_url", "thumb_url", "actions", "mrkdwn_in",
            ]
            self.toast.drop(membersOf: attachment, beside: known, at: place)
        }
    }
}
