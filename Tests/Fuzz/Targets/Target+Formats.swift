import ToastAccess
import ToastFormats

@testable import ToastCore

extension FuzzTarget {
    static let formats = [Self("senders", checkSender)]
}

/// What another system posts makes valid toasts, or an error.
///
/// The first line names the format, the lines up to an empty one are header fields, and the rest is the body.
private func checkSender(_ bytes: [UInt8]) throws {
    let lines = bytes.lines
    let head = lines.dropFirst().prefix { !$0.isEmpty }
    var fields: [String: String] = [:]
    for line in head {
        let halves = line.text.split(separator: ": ", maxSplits: 1)
        if halves.count == 2 { fields[halves[0].lowercased()] = String(halves[1]) }
    }
    let known = fields
    let body = Array(lines.dropFirst(head.count + 2).joined(separator: [UInt8(ascii: "\n")]))
    let input = FormatInput(contentType: known["content-type"], field: { known[$0] }, body: body)
    let now = Instant(nanoseconds: 1_800_000_000_000_000_000)
    switch lines.first?.text ?? "" {
    case "ntfy":
        guard let message = try? NtfyMessage(input, isDocument: false, at: now) else { return }
        try check(message.toast)
    case "ntfy-document":
        guard let message = try? NtfyMessage(input, isDocument: true, at: now) else { return }
        try check(message.toast)
    case "gotify":
        guard let message = try? GotifyMessage(input) else { return }
        try check(message.toast)
    case "mercure":
        guard let update = try? MercureUpdate(input) else { return }
        try check(update.toast)
    case "mercure-token":
        let token = MercureToken(body.text, key: Array("a secret that has 32 bytes or more".utf8), at: now)
        try promise(token == nil, "a token of another secret")
    case let name:
        guard let format = HookFormat(rawValue: name) else { return }
        var mapping = HookMapping(format)
        mapping.pointers = ["title": "/title", "message": "/a/0", "role": "/role", "duration": "/duration", "link": ""]
        guard let toasts = try? mapping.toasts(of: input) else { return }
        try promise(toasts.toasts.count <= Limits.standard.batch, "too many toasts")
        try promise(toasts.allWarnings.count <= ValidationError.maximumIssues, "too many warnings")
        for toast in toasts.toasts { try check(toast) }
    }
}

/// A toast of a format keeps to the limits, and its warnings say where.
private func check(_ toast: MappedToast) throws {
    let text = [toast.draft.title.text?.text, toast.draft.message?.text].compactMap(\.self)
    try promise(!text.isEmpty, "a toast without text")
    try promise(text.allSatisfy { $0.unicodeScalars.count <= Limits.standard.textLength }, "a text past the limit")
    try promise(toast.draft.details.actions.count <= Limits.standard.actions, "too many actions")
    for warning in toast.warnings {
        try promise(warning.pointer.isPointer, "a pointer that is none: \(warning.pointer)")
        try promise(!warning.detail.isEmpty, "a warning without words")
    }
}
