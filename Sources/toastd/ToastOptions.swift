import ArgumentParser
import Foundation
import ToastClient
import ToastCore

/// What a toast can be, as people write it; everything else comes as JSON.
struct ToastOptions: ParsableArguments {
    @Argument(help: "The channel's name: letters, digits, hyphens and underscores.")
    var channel: ChannelName

    @Argument(help: "The message, of one word or several; a - alone reads it from standard input.")
    var text: [String] = []

    @Option(name: .shortAndLong, help: "The title; an empty one is none. (default the role's own)")
    var title: String?

    @Option(name: .shortAndLong, help: "What it is about. (default info)")
    var role: Role?

    @Option(
        name: .shortAndLong,
        help: "How long it stays: 10, 90s, 5m, short, long or indefinite. (default as the channel says)"
    )
    var duration: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A button, and what comes back when it is pressed; once for each.", valueName: "id=title")
    )
    var action: [Draft.Action] = []

    @Option(help: ArgumentHelp("The id of a button that destroys something.", valueName: "id"))
    var destructive: [String] = []

    @Option(help: ArgumentHelp("How it looks, as glass or retro.", valueName: "name"))
    var style: String?

    @Option(help: "Where it stands. (default as the channel says)")
    var placement: Placement?

    @Option(help: ArgumentHelp("An SF Symbol such as wifi.slash, an https URL, or none.", valueName: "name"))
    var icon: String?

    @Option(help: ArgumentHelp("What can be felt when it comes. (default as the channel says)", valueName: "kind"))
    var haptic: Haptic?

    @Option(help: ArgumentHelp("A picture: an http or https URL, or a path on the server.", valueName: "url"))
    var image: String?

    @Option(help: ArgumentHelp("What the picture shows, for people who do not see it.", valueName: "text"))
    var imageAlt: String?

    @Option(help: ArgumentHelp("What comes back with each event of the toast, as JSON.", valueName: "json"))
    var data: JSON?

    @Option(help: ArgumentHelp("How far the work is: 3/12, 25% or ?.", valueName: "part"))
    var progress: String?

    @Option(
        help: ArgumentHelp(
            "What makes two toasts the same one, where the channel's deduplication says so.",
            valueName: "name"
        )
    )
    var reuseIdentifier: String?

    @Option(help: ArgumentHelp("How long it may wait to be shown: 90, 5m, 2h.", valueName: "time"))
    var expiresAfter: Seconds?

    @Option(
        help: ArgumentHelp(
            "A file with the toast as JSON, - for standard input; what else is said here counts more.",
            valueName: "file"
        ),
        completion: .file()
    )
    var json: String?

    @Option(
        help: ArgumentHelp("A name under which the same toast may be sent again, and is posted once.", valueName: "key")
    )
    var idempotencyKey: String?

    func validate() throws {
        guard !self.text.isEmpty || self.title?.isEmpty == false || self.json != nil else {
            throw ValidationError("Say something: a message, a --title, or --json.")
        }
        if self.json == "-", self.text == ["-"] {
            throw ValidationError("Standard input is either the message or the JSON.")
        }
        // An empty one would not be sent at all, and the toast would come twice.
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

    /// Whether every button that destroys something is one of the buttons.
    func checkDestructive(among actions: [Draft.Action]) throws {
        for id in self.destructive where !actions.contains(where: { $0.id == id }) {
            throw ValidationError("--destructive \(id): there is no --action \(id)=….")
        }
    }

    /// The toast; or the list of toasts, when that is what the JSON has.
    ///
    /// - Parameter standard: The buttons when nobody says which.
    /// - Returns: What to post.
    /// - Throws: What is wrong with the JSON, behind having said so.
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
        do throws(JSONSyntaxError) { return try JSON(parsing: Array(data)) } catch {
            throw Terminal.fail("--json: \(name), \(TextPlace(of: error.offset, in: data)): \(error.detail)")
        }
    }

    /// The message that somebody pipes in, without the line end behind it.
    private static func readText() throws -> String {
        guard let data = Self.standardInput else { throw Terminal.fail("Standard input cannot be read.") }
        var text = String(decoding: data, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }

    /// What comes in to its end; nil when nothing can, because it is closed, or a directory.
    private static var standardInput: Data? {
        // The reason is of no use to whoever left it closed.
        do { return try FileHandle.standardInput.readToEnd() ?? Data() } catch { return nil }
    }
}

/// A place in a text, as editors count it.
struct TextPlace: CustomStringConvertible {
    let line: Int
    let column: Int

    init(of offset: Int, in data: Data) {
        let before = data.prefix(offset)
        self.line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
        self.column = String(decoding: before[start...], as: UTF8.self).count + 1
    }

    var description: String { "line \(self.line), column \(self.column)" }
}
