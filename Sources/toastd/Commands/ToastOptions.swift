import ArgumentParser
import Foundation
import ToastClient
import ToastCore

/// The options that describe a toast; all other members can be given as JSON.
struct ToastOptions: ParsableArguments {
    @Argument(help: "The channel's name: letters, digits, hyphens and underscores.")
    var channel: ChannelName

    @Argument(help: "The message, of one word or several; a - alone reads it from standard input.")
    var text: [String] = []

    @Option(name: .shortAndLong, help: "The title; empty for none. (default the role's own)")
    var title: String?

    @Option(name: .shortAndLong, help: "The role. (default info)")
    var role: Role?

    @Option(
        name: .shortAndLong,
        help: "The duration: 10, 90s, 5m, short, long or indefinite. (default the channel's)"
    )
    var duration: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A button and its id; can be repeated.", valueName: "id=title")
    )
    var action: [Draft.Action] = []

    @Option(help: ArgumentHelp("The id of a destructive button.", valueName: "id"))
    var destructive: [String] = []

    @Option(help: ArgumentHelp("The style, such as glass or retro.", valueName: "name"))
    var style: String?

    @Option(help: "The place on screen. (default the channel's)")
    var placement: Placement?

    @Option(help: ArgumentHelp("An SF Symbol such as wifi.slash, an https URL, or none.", valueName: "name"))
    var icon: String?

    @Option(help: ArgumentHelp("The haptic feedback. (default the channel's)", valueName: "kind"))
    var haptic: Haptic?

    @Option(help: ArgumentHelp("An image: an http or https URL, or a path on the server.", valueName: "url"))
    var image: String?

    @Option(help: ArgumentHelp("The text alternative of the image.", valueName: "text"))
    var imageAlt: String?

    @Option(help: ArgumentHelp("Data that each event of the toast carries, as JSON.", valueName: "json"))
    var data: JSON?

    @Option(help: ArgumentHelp("The progress: 3/12, 25% or ?.", valueName: "part"))
    var progress: String?

    @Option(
        help: ArgumentHelp(
            "The name by which the channel's deduplication recognises the toast.",
            valueName: "name"
        )
    )
    var reuseIdentifier: String?

    @Option(help: ArgumentHelp("How long it may wait to be shown: 90, 5m, 2h.", valueName: "time"))
    var expiresAfter: Seconds?

    @Option(
        help: ArgumentHelp(
            "A file with the toast as JSON, - for standard input; other options override it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var json: String?

    @Option(
        help: ArgumentHelp("A key under which a repeated command posts the toast only once.", valueName: "key")
    )
    var idempotencyKey: String?

    func validate() throws {
        guard !self.text.isEmpty || self.title?.isEmpty == false || self.json != nil else {
            throw ValidationError("Say something: a message, a --title, or --json.")
        }
        if self.json == "-", self.text == ["-"] {
            throw ValidationError("Standard input is either the message or the JSON.")
        }
        // An empty key would not be sent, and a repeated command would post the toast twice.
        if let idempotencyKey, !idempotencyKey.isFieldValue {
            throw ValidationError("--idempotency-key: expected printable ASCII characters.")
        }
        guard self.imageAlt == nil || self.image != nil else {
            throw ValidationError("--image-alt: there is no --image that it could speak of.")
        }
        if let progress, Draft.progress(progress) == nil {
            throw ValidationError("--progress: expected 3/12, 25% or ?.")
        }
    }

    /// Checks that every destructive button is one of the buttons.
    func checkDestructive(among actions: [Draft.Action]) throws {
        for id in self.destructive where !actions.contains(where: { $0.id == id }) {
            throw ValidationError("--destructive \(id): there is no --action \(id)=….")
        }
    }

    /// The toast, or the list of toasts if the JSON is one; `standard` has the default buttons.
    func document(standard: [Draft.Action] = []) throws -> JSON {
        let base = try self.json.map { try Self.readJSON($0) } ?? [:]
        var draft = Draft(base.object ?? [:])
        switch self.text {
        case []: break
        case ["-"]: draft.set("message", .string(try Self.readText()))
        default: draft.set("message", .string(self.text.joined(separator: " ")))
        }
        draft.set("title", self.title.map { $0.isEmpty ? .null : .string($0) })
        draft.set("role", self.role.map { .string($0.rawValue) })
        draft.set("duration", self.duration.map(Draft.duration))
        let hasOwn = !self.action.isEmpty || draft.members["actions"] != nil
        draft.set(hasOwn ? self.action : standard, destructive: self.destructive)
        draft.set("style", self.style.map(JSON.string))
        draft.set("placement", self.placement.map { .string($0.rawValue) })
        draft.set("icon", self.icon.map(JSON.string))
        draft.set("haptic", self.haptic.map { .string($0.rawValue) })
        draft.set("image", self.image.map { Draft.image($0, alt: self.imageAlt) })
        draft.set("data", self.data)
        draft.set("progress", self.progress.flatMap(Draft.progress))
        draft.set("reuseIdentifier", self.reuseIdentifier.map(JSON.string))
        draft.set("expiresAfter", self.expiresAfter.map { JSON(number: $0.count) })
        guard base.object == nil else { return .object(draft.members) }
        guard draft.members.isEmpty else {
            throw Terminal.fail("--json: expected one toast, an object, because other options change it.")
        }
        return base
    }

    private static func readJSON(_ path: String) throws -> JSON {
        let name = path == "-" ? "standard input" : path
        let data = path == "-" ? Self.standardInput : FileManager.default.contents(atPath: path)
        guard let data else { throw Terminal.fail("--json: \(name) cannot be read.") }
        let bytes = Array(data)
        do throws(JSONSyntaxError) { return try JSON(parsing: bytes) } catch {
            throw Terminal.fail("--json: \(name), \(bytes.place(of: error.offset)): \(error.detail)")
        }
    }

    /// The message from standard input, without line ends at its end.
    private static func readText() throws -> String {
        guard let data = Self.standardInput else { throw Terminal.fail("Standard input cannot be read.") }
        guard var text = String(validating: data, as: UTF8.self) else {
            throw Terminal.fail("Standard input: text in UTF-8 is expected.")
        }
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// All of standard input; nil when it cannot be read, because it is closed or a directory.
    private static var standardInput: Data? {
        // The reason, a closed descriptor or a directory, is of no use to the user.
        do { return try FileHandle.standardInput.readToEnd() ?? Data() } catch { return nil }
    }
}
