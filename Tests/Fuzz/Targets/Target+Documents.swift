@testable import ToastCore

extension FuzzTarget {
    static let documents = [Self("draft", checkDraft), Self("settings", checkSettings)]
}

/// Issues are named one by one, each with its place, and there are not endlessly many.
func checkIssues(_ error: ValidationError) throws {
    try promise((1...ValidationError.maximumIssues).contains(error.issues.count), "no issue, or too many")
    for issue in error.issues {
        try promise(issue.pointer.isPointer, "a pointer that is none: \(issue.pointer)")
        try promise(!issue.detail.isEmpty, "an issue without words")
    }
}

/// Reads something; `nil` when it was refused in good order.
func valid<Value>(_ read: () throws(ValidationError) -> Value) throws -> Value? {
    do throws(ValidationError) {
        return try read()
    } catch {
        try checkIssues(error)
        return nil
    }
}

private func document(_ line: [UInt8]?) -> JSON? { line.flatMap { try? JSON(parsing: $0) } }

/// A toast that is accepted keeps to the limits and comes back from the store; so does one that was patched.
///
/// The first line is the toast, the others are patches.
private func checkDraft(_ bytes: [UInt8]) throws {
    guard let json = document(bytes.lines.first) else { return try checkMessage(bytes) }
    guard var draft = try valid({ () throws(ValidationError) in try ToastDraft(json: json) }) else { return }
    try checkAccepted(draft)
    for line in bytes.lines.dropFirst().prefix(4) {
        guard let json = document(line),
            let patch = try valid({ () throws(ValidationError) in try ToastPatch(json: json) }),
            let changed = try valid({ () throws(ValidationError) in try draft.applying(patch) })
        else { continue }
        try checkAccepted(changed)
        let again = try valid { () throws(ValidationError) in try changed.applying(patch) }
        try promise(again == changed, "a patch that does something else the second time")
        draft = changed
    }
}

/// `text/plain`.
private func checkMessage(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self),
        let draft = try valid({ () throws(ValidationError) in try ToastDraft(message: text) })
    else { return }
    try checkAccepted(draft)
    let message = draft.message?.text ?? ""
    try promise(message.unicodeScalars.first?.properties.isWhitespace == false, "a blank in front")
    try promise(message.unicodeScalars.last?.properties.isWhitespace == false, "a blank behind")
}

private func checkAccepted(_ draft: ToastDraft) throws {
    let limits = Limits.standard
    let texts = draft.details.actions.map(\.title) + [draft.message].compactMap(\.self)
    for case .raw(let text) in texts {
        try promise((1...limits.textLength).contains(text.unicodeScalars.count), "a text that is empty, or too long")
    }
    try promise(texts.allSatisfy { $0.text.utf8.count <= 64 * 1024 }, "a text that grew past all limits")
    try promise(draft.details.actions.count <= limits.actions, "too many actions")
    try promise(Set(draft.details.actions.map(\.id)).count == draft.details.actions.count, "two actions with one id")
    try promise((draft.reuseIdentifier?.unicodeScalars.count ?? 0) <= limits.nameLength, "too long a name")
    try promise((draft.details.expiresAfter ?? .zero) <= limits.longest, "too long a wait")

    guard let name = ChannelName(rawValue: "ops"), let id = ToastID("018f0000-0000-7000-8000-000000000001") else {
        return
    }
    let content = ToastContent(draft, Settings().effective)
    let toast = Toast(id: id, channel: name, content: content, createdAt: EngineScenario.start)
    let written = JSON(writing: toast)
    let read = try valid { () throws(ValidationError) in try Toast(json: written) }
    try promise(read == toast, "another toast when it is written and read again")
    try promise(read.map { JSON(writing: $0) } == written, "two spellings of one toast")
}

/// Settings that are accepted are the same when they are written and read again, whichever way they came about.
///
/// The first line is the settings, the others are patches.
private func checkSettings(_ bytes: [UInt8]) throws {
    guard let json = document(bytes.lines.first),
        var settings = try valid({ () throws(ValidationError) in try Settings(json: json) })
    else { return }
    try checkAccepted(settings)
    for line in bytes.lines.dropFirst().prefix(4) {
        guard let patch = document(line),
            let changed = try valid({ () throws(ValidationError) in try settings.applying(patch) })
        else { continue }
        try checkAccepted(changed)
        try promise(try changed.applying(patch) == changed, "a patch that does something else the second time")
        settings = changed
    }
}

private func checkAccepted(_ settings: Settings) throws {
    let json = JSON(writing: settings)
    try promise(try Settings(json: json) == settings, "other settings when they are written and read again")
    try promise(try settings.applying([:]) == settings, "an empty patch that does something")
    let effective = JSON(writing: settings.effective)
    try promise(effective.object != nil, "effective settings that cannot be read")
    try promise(!settings.sources.isEmpty, "settings from nowhere")
    try promise(settings.effective.maxVisible ?? 1 <= Engine.maximumVisible, "too many on screen")
    for warning in settings.warnings { try promise(warning.pointer.isPointer, "a warning about nothing") }
}
