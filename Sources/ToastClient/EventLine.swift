package import Foundation
package import ToastCore

/// Formats events for people, a line each: the time, the type, and the toast.
///
/// Most events name toasts by id only, so it remembers the texts of earlier events.
package struct EventLine: Sendable {
    private struct Known {
        let role: String
        let text: String
    }

    private let showsChannel: Bool
    private let isColored: Bool
    private let calendar: Calendar
    private var known: [String: Known] = [:]
    /// The ids of ``known``, oldest first.
    private var order: [String] = []

    /// The most toasts whose texts are remembered; older ones are forgotten.
    private static let memory = 1000

    private static let colors = ["error": "31", "warning": "33", "success": "32", "info": "34"]

    /// A formatter of lines for a reader in a time zone.
    package init(showsChannel: Bool, isColored: Bool, zone: TimeZone = .current) {
        self.showsChannel = showsChannel
        self.isColored = isColored
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    package mutating func line(_ event: JSON) -> String {
        self.remember(event["toast"])
        for item in event["presented"]?.array ?? [] { self.remember(item["toast"]) }
        let id = event["toast"]?["id"]?.string ?? event["id"]?.string
        var columns = [
            self.painted(self.time(event["at"]?.string), "2"),
            (event["type"]?.string ?? "?").printable.padded(to: 10),
        ]
        if self.showsChannel { columns.append((event["channel"]?.string ?? "").printable.padded(to: 12)) }
        let details = self.details(event)
        if let id {
            let toast = self.known[id] ?? Known(role: "", text: id.printable)
            columns.append(self.painted(toast.role.printable.padded(to: 7), Self.colors[toast.role]))
            columns.append(details.isEmpty ? toast.text : "\(toast.text)  (\(details))")
        } else {
            columns.append(details)
        }
        return columns.joined(separator: "  ")
    }

    /// The details of the event besides the toast.
    private func details(_ event: JSON) -> String {
        switch event["type"]?.string {
        case "snapshot":
            let missed = event["reset"] == true ? ", events were missed" : ""
            return
                "\(event["presented"]?.array?.count ?? 0) on screen, \(event["queuedCount"]?.integer ?? 0) waiting\(missed)"
        case "resumed": return "nothing was missed"
        case "presented": return event["remaining"]?.number.map { "\(Self.seconds($0))" } ?? "until somebody answers"
        case "updated": return (event["changed"]?.array ?? []).compactMap(\.string).joined(separator: ", ").printable
        case "acted": return (event["action"]?.string ?? "").printable
        case "dismissed":
            return [event["dismissReason"]?.string, event["action"]?.string].compactMap(\.self).joined(separator: " ")
                .printable
        case "held", "released": return "by \(event["holder"]?.string ?? "somebody")".printable
        case "configured": return "the settings changed"
        case "shutdown": return "the server stops; back in \(Self.seconds(event["retry"]?.number ?? 0))"
        default: return ""
        }
    }

    private mutating func remember(_ toast: JSON?) {
        guard let toast, let id = toast["id"]?.string else { return }
        if self.known[id] == nil { self.order.append(id) }
        self.known[id] = Known(role: toast["role"]?.string ?? "", text: Self.text(of: toast))
        guard self.order.count > Self.memory else { return }
        self.known[self.order.removeFirst()] = nil
    }

    /// The title, the message and the buttons.
    private static func text(of toast: JSON) -> String {
        let words = [toast["title"], toast["message"]].compactMap { $0?.string ?? $0?["text"]?.string }
        let buttons = (toast["actions"]?.array ?? []).compactMap { action in
            (action["title"]?.string ?? action["title"]?["text"]?.string).map { "[\($0)]" }
        }
        return ([words.joined(separator: ": ")] + buttons).joined(separator: " ").printable
    }

    private func painted(_ text: String, _ code: String?) -> String {
        guard self.isColored, let code else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }

    /// The time in the reader's time zone.
    private func time(_ text: String?) -> String {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // A text that is no time stays as it is.
        guard let text, let date = try? style.parse(text) else { return (text ?? "").printable.padded(to: 8) }
        let parts = self.calendar.dateComponents([.hour, .minute, .second], from: date)
        return [parts.hour, parts.minute, parts.second].map { String(format: "%02d", $0 ?? 0) }.joined(separator: ":")
    }

    private static func seconds(_ count: Double) -> String {
        "\(JSON(number: (count * 10).rounded() / 10).printed) s"
    }
}

extension JSON {
    /// The value on one line, for a program or a terminal.
    package var printed: String { String(decoding: self.bytes, as: UTF8.self).printableJSON }
}
