import MicroHTTP
import ToastCore
import ToastFormats
import ToastHub

/// An event as ntfy's readers know it.
enum NtfyEvent {
    /// The stream was opened.
    case open
    /// Sent when nothing has happened for a while.
    case keepAlive
    /// A message: the members of its toast, and when it was published.
    case message(JSON, at: Instant)

    /// The message of a toast that is listed.
    init(_ published: PublishedToast) { self = .message(JSON(writing: published.toast), at: published.at) }

    /// An event of a channel; nil when no message is published with it.
    init?(_ type: EventType, _ envelope: [UInt8]) {
        guard type == .enqueued || type == .updated, let event = try? JSON(stored: envelope),
            let toast = event["toast"], toast["notBefore"] == nil,
            // An update with `moved` means that the toast was published again, or that its `notBefore` has passed.
            type == .enqueued || event["moved"] == true
        else { return nil }
        self = .message(toast, at: event["at"]?.string.flatMap { Instant($0) } ?? .wallClock)
    }

    fileprivate func write(to writer: inout JSONWriter, _ topics: [ChannelName]) {
        let now = Instant.wallClock
        writer.object { writer in
            guard case .message(let toast, let sent) = self else {
                writer.member("id", NtfyID.random(at: now).text)
                writer.member("time", now.nanoseconds / 1_000_000_000)
                writer.member("event", self.name)
                writer.member("topic", topics.map(\.rawValue).joined(separator: ","))
                return
            }
            writer.member("id", self.id ?? "")
            writer.member("time", sent.nanoseconds / 1_000_000_000)
            writer.member("event", self.name)
            writer.member("topic", toast["channel"]?.string ?? "")
            writer.member("message", self.text)
            // The title of a toast without a message is its text here, because ntfy's messages always have one.
            if let title = self.title, title != self.text { writer.member("title", title) }
            writer.member("priority", self.priority)
            writer.member("click", toast["link"]?.string)
            // Only toastd's viewer knows symbols.
            if let icon = toast["icon"]?.string, icon.contains("://") { writer.member("icon", icon) }
            if let image = toast["image"]?["url"]?.string { Self.write(image, to: &writer) }
            if let actions = toast["actions"]?.array { Self.write(actions, to: &writer) }
            writer.member("sequence_id", toast["reuseIdentifier"]?.string)
        }
    }

    /// Writes an image as ntfy writes an attachment by URL.
    private static func write(_ image: String, to writer: inout JSONWriter) {
        let path = image.prefix { $0 != "?" && $0 != "#" }
        writer.object("attachment") { writer in
            writer.member("name", NtfyMessage.fileName(inPath: path))
            writer.member("url", image)
        }
    }

    /// Writes the actions that a reader can carry out: those that open a page.
    private static func write(_ actions: [JSON], to writer: inout JSONWriter) {
        let views = actions.filter { $0["url"]?.string != nil }
        guard !views.isEmpty else { return }
        writer.array("actions") { writer in
            for action in views {
                writer.object { writer in
                    writer.member("id", action["id"]?.string ?? "")
                    writer.member("action", "view")
                    writer.member("label", action["title"]?.ntfyText ?? "")
                    writer.member("url", action["url"]?.string ?? "")
                    writer.member("clear", action["dismisses"]?.bool ?? true)
                }
            }
        }
    }

    fileprivate var name: String {
        switch self {
        case .open: "open"
        case .keepAlive: "keepalive"
        case .message: "message"
        }
    }

    private func member(_ name: String) -> JSON? {
        guard case .message(let toast, _) = self else { return nil }
        return toast[name]
    }

    var id: String? {
        self.member("id")?.string.map { NtfyID(toast: $0, revision: Int(self.member("revision")?.integer ?? 1)).text }
    }

    var title: String? { self.member("title")?.ntfyText }

    /// The text of a message; the title when there is no text.
    var text: String { self.member("message")?.ntfyText ?? self.title ?? "" }

    /// The priority of a message; nil for the usual one, 3.
    var priority: Int? { ["error": 5, "warning": 4][self.member("role")?.string ?? ""] }
}

extension JSON {
    /// A text as readers get it; a localized text has it in `text`.
    fileprivate var ntfyText: String? { self.string ?? self["text"]?.string }
}

/// In which form a reader of ntfy gets its events.
///
/// The value is the last segment of the path.
enum NtfyForm: String, CaseIterable {
    case json
    case eventStream = "sse"
    case raw
    case socket = "ws"

    /// The media type, with the encoding, which ntfy's app for Android needs.
    var contentType: String {
        switch self {
        case .json: "application/x-ndjson; charset=utf-8"
        case .eventStream: "text/event-stream; charset=utf-8"
        case .raw, .socket: "text/plain; charset=utf-8"
        }
    }

    func frame(_ event: NtfyEvent, of topics: [ChannelName]) -> Frame {
        if self == .raw {
            // One line for each message, and an empty line for each other event.
            return Frame(Array((String(event.text.map { $0.isNewline ? " " : $0 }) + "\n").utf8))
        }
        var writer = JSONWriter()
        event.write(to: &writer, topics)
        switch self {
        case .json, .raw: return Frame(writer.bytes + [UInt8(ascii: "\n")])
        case .socket: return .webSocketText(writer.bytes)
        case .eventStream:
            // A message has the default type, so that an EventSource needs no listener for another one.
            if case .message = event { return Frame(Array("data: ".utf8) + writer.bytes + Array("\n\n".utf8)) }
            return .event(event.name, id: nil, data: writer.bytes)
        }
    }
}
