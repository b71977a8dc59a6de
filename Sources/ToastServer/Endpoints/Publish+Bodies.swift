import CombiningMarks
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

/// The toasts in the body of a publish.
struct PublishBody: Sendable {
    let drafts: [ToastDraft]
    let isBatch: Bool
    /// Warnings about members that are ignored.
    var warnings: [Warning] = []
    /// The key and digest for repetitions, if the body has a key of its own, as CloudEvents do.
    var repetition: IdempotentRequest?

    /// Whether there are no warnings, and all members of the toasts have an effect in every channel.
    var needsNoWarnings: Bool { self.warnings.isEmpty && self.drafts.allSatisfy { ConditionalMembers.isNone($0) } }

    /// The members that have no effect in some channels.
    var conditionalMembers: [ConditionalMembers] {
        self.drafts.enumerated().map { ConditionalMembers($1, at: self.isBatch ? "/\($0)" : "") }
    }
}

extension API {
    /// Reads the body of a request by its media type: a toast, a list of toasts, one toast per line, or only a message.
    func publishBody(
        of request: Request,
        as mediaType: String?,
        by caller: Caller
    ) throws(Problem) -> PublishBody {
        try self.checkMemory()
        switch mediaType {
        case "application/json":
            return try self.toasts(in: Request.json(request.body, depth: self.limits.depth), of: caller)
        case "application/x-ndjson", "application/jsonl":
            return try self.lines(in: request.body, of: caller)
        case "application/x-www-form-urlencoded", nil:
            // `curl -d` sends any text with this type: it is a message, unless it looks like a document or a form.
            if request.body.first == UInt8(ascii: "{") || request.body.first == UInt8(ascii: "[") {
                return try self.toasts(in: self.document(request.body), of: caller)
            }
            guard mediaType == nil || !Self.isForm(request.body) else {
                throw Problem(
                    .unsupportedMediaType,
                    "A form is not taken. Send the toast as application/json, "
                        + "or a text that begins with a name and = as text/plain."
                )
            }
            return try self.message(request.body)
        case "text/plain":
            // ASCII is the same in nearly all character sets; UTF-16 has zeros.
            let isUTF8 = request.charset.map { TextEncoding(charset: $0) == .utf8 } ?? true
            guard isUTF8 || request.body.allSatisfy({ (1..<0x80).contains($0) }) else {
                throw Problem(.unsupportedMediaType, "Send the text in UTF-8.")
            }
            return try self.message(request.body)
        default:
            let types = "application/json, application/x-ndjson, application/jsonl, text/plain or CloudEvents"
            throw Problem(.unsupportedMediaType, "Send \(types).")
        }
    }

    /// A JSON document without its media type.
    private func document(_ body: [UInt8]) throws(Problem) -> JSON {
        do throws(Problem) {
            return try Request.json(body, depth: self.limits.depth)
        } catch {
            var problem = error
            if problem.type == .invalidJSON {
                problem.detail = "What begins with { or [ is read as JSON, and this is none. Send a text as text/plain."
            }
            throw problem
        }
    }

    /// Whether a body with the media type of a form is one: it begins with a field's name and `=`.
    ///
    /// curl sends every text with that type (`curl -d 'Deployed'`), so the type alone is not enough.
    static func isForm(_ body: [UInt8]) -> Bool {
        guard let end = body.firstIndex(where: { !ASCIISet.formFieldName.contains($0) }) else { return false }
        return end > 0 && body[end] == UInt8(ascii: "=")
    }

    private func toasts(in json: JSON, of caller: Caller) throws(Problem) -> PublishBody {
        var warnings: [Warning] = []
        guard let items = json.array else {
            let draft = try self.draft(json, at: "", &warnings)
            return PublishBody(drafts: [draft], isBatch: false, warnings: warnings)
        }
        try self.checkCount(items.count, of: caller)
        var drafts: [ToastDraft] = []
        drafts.reserveCapacity(items.count)
        for (index, item) in items.enumerated() { drafts.append(try self.draft(item, at: "/\(index)", &warnings)) }
        return PublishBody(drafts: drafts, isBatch: true, warnings: warnings)
    }

    private func lines(in body: [UInt8], of caller: Caller) throws(Problem) -> PublishBody {
        let lines = body.split(separator: UInt8(ascii: "\n")).filter { line in
            line.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }
        }
        try self.checkCount(lines.count, of: caller)
        var (drafts, warnings): ([ToastDraft], [Warning]) = ([], [])
        for (index, line) in lines.enumerated() {
            drafts.append(try self.draft(self.line(Array(line), at: "/\(index)"), at: "/\(index)", &warnings))
        }
        return PublishBody(drafts: drafts, isBatch: true, warnings: warnings)
    }

    private func line(_ bytes: [UInt8], at pointer: @autoclosure () -> String) throws(Problem) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSON(parsing: bytes, depthLimit: self.limits.depth)
        } catch {
            var problem = Problem(from: error)
            problem.issues = problem.issues.map { $0.inside(pointer()) }
            throw problem
        }
    }

    private func message(_ body: [UInt8]) throws(Problem) -> PublishBody {
        guard let text = String(received: body) else { throw Problem(.invalidToast, at: "/message", String.rule) }
        do throws(ValidationError) {
            return PublishBody(drafts: [try ToastDraft(message: text, limits: self.limits)], isBatch: false)
        } catch {
            throw Problem(.invalidToast, error.issues)
        }
    }

    /// Checks the number of toasts before any of them is read.
    private func checkCount(_ count: Int, of caller: Caller) throws(Problem) {
        guard count > 0 else { throw Problem(.invalidToast, at: "", "At least one toast is expected.") }
        guard count <= self.limits.batch else {
            throw Problem(.batchTooLarge, "A batch has at most \(self.limits.batch) toasts.")
        }
        try self.chargeRest(of: count, to: caller)
    }

    func draft(
        _ json: JSON,
        at pointer: @autoclosure () -> String,
        _ warnings: inout [Warning]
    ) throws(Problem) -> ToastDraft {
        var found: [Warning] = []
        do throws(ValidationError) {
            let draft = try ToastDraft(json: json, limits: self.limits, adding: &found)
            // A toast adds none when there are already as many as a response may have.
            if !found.isEmpty, warnings.count < ValidationError.maximumIssues {
                warnings += found.map { $0.inside(pointer()) }
            }
            return draft
        } catch {
            throw Problem(.invalidToast, error.issues.map { $0.inside(pointer()) })
        }
    }

    func broadcast(
        _ request: Request,
        of caller: Caller
    ) throws(Problem) -> (channels: [ChannelName], draft: ToastDraft, warnings: [Warning]) {
        try self.checkMemory()
        guard let members = try request.json(depth: self.limits.depth).object else {
            throw Problem(.invalidToast, at: "", "An object is expected.")
        }
        var issues: [ValidationIssue] = []
        let channels = try self.channels(in: members["channels"], of: caller, &issues)
        var warnings = self.warnings(ofQuery: request)
        for (name, _) in members where name != "channels" && name != "toast" {
            warnings.append(.unknownMember(name))
        }
        let toast = self.sharedDraft(members["toast"], &warnings, &issues)
        guard let toast, issues.isEmpty else {
            throw Problem(.invalidToast, Array(issues.prefix(ValidationError.maximumIssues)))
        }
        return (channels, toast, warnings)
    }

    /// The channels of a toast for several channels, without faulty names, each of which adds an issue to `issues`.
    private func channels(
        in list: JSON?,
        of caller: Caller,
        _ issues: inout [ValidationIssue]
    ) throws(Problem) -> [ChannelName] {
        guard let names = list?.array, (1...self.limits.batch).contains(names.count) else {
            let detail = "A list of 1 to \(self.limits.batch) channel names is expected."
            issues.append(ValidationIssue(pointer: "/channels", detail: detail))
            return []
        }
        try self.chargeRest(of: names.count, to: caller)
        var channels: [ChannelName] = []
        for (index, name) in names.enumerated() {
            guard let channel = name.string.flatMap(ChannelName.init), !channels.contains(channel) else {
                let detail = "A channel's name that is not in the list yet is expected."
                issues.append(ValidationIssue(pointer: "/channels/\(index)", detail: detail))
                continue
            }
            channels.append(channel)
        }
        return channels
    }

    /// A toast for several channels; when it cannot be accepted, adds its faults to `issues` and returns `nil`.
    private func sharedDraft(
        _ toast: JSON?,
        _ warnings: inout [Warning],
        _ issues: inout [ValidationIssue]
    ) -> ToastDraft? {
        guard let toast else {
            issues.append(ValidationIssue(pointer: "/toast", detail: "A toast is expected."))
            return nil
        }
        do throws(Problem) {
            return try self.draft(toast, at: "/toast", &warnings)
        } catch {
            issues += error.issues
            return nil
        }
    }
}
