import MicroHTTP
import ToastAccess
import ToastCore

/// What a publisher sent.
struct Sent: Sendable {
    let drafts: [ToastDraft]
    let isBatch: Bool

    /// Whether any of the toasts says something about its own looks.
    var hasAppearances: Bool { self.drafts.contains { $0.appearance != nil } }

    /// What the toasts say about their own looks, and where they stand in the document.
    var appearances: [(pointer: String, appearance: JSONObject?)] {
        self.drafts.enumerated().map { (self.isBatch ? "/\($0)" : "", $1.appearance) }
    }
}

extension API {
    /// Reads the body: a toast, a list of toasts, a toast a line, or nothing but the message.
    func publication(_ request: Request, of visitor: Visitor) throws(Problem) -> Sent {
        try self.checkMemory()
        switch request.mediaType {
        case "application/json":
            return try self.toasts(in: Request.json(request.body, depth: self.limits.depth), of: visitor)
        case "application/x-ndjson", "application/jsonl":
            return try self.lines(in: request.body, of: visitor)
        case "application/x-www-form-urlencoded", nil:
            // What `curl -d` says of any text: a message, unless it is plainly a document.
            let isDocument = request.body.first == UInt8(ascii: "{") || request.body.first == UInt8(ascii: "[")
            guard isDocument else { return try self.message(request.body) }
            return try self.toasts(in: Request.json(request.body, depth: self.limits.depth), of: visitor)
        case "text/plain":
            return try self.message(request.body)
        default:
            throw Problem(
                .unsupportedMediaType,
                "Send application/json, application/x-ndjson or text/plain."
            )
        }
    }

    private func toasts(in json: JSON, of visitor: Visitor) throws(Problem) -> Sent {
        guard let items = json.array else { return Sent(drafts: [try self.draft(json, at: "")], isBatch: false) }
        try self.checkCount(items.count, of: visitor)
        var drafts: [ToastDraft] = []
        drafts.reserveCapacity(items.count)
        for (index, item) in items.enumerated() { drafts.append(try self.draft(item, at: "/\(index)")) }
        return Sent(drafts: drafts, isBatch: true)
    }

    private func lines(in body: [UInt8], of visitor: Visitor) throws(Problem) -> Sent {
        let lines = body.split(separator: UInt8(ascii: "\n")).filter { line in
            line.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }
        }
        try self.checkCount(lines.count, of: visitor)
        var drafts: [ToastDraft] = []
        for (index, line) in lines.enumerated() {
            drafts.append(try self.draft(self.line(Array(line), at: "/\(index)"), at: "/\(index)"))
        }
        return Sent(drafts: drafts, isBatch: true)
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

    private func message(_ body: [UInt8]) throws(Problem) -> Sent {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Problem(.invalidToast, [ValidationIssue(pointer: "/message", detail: "Text in UTF-8 is expected.")])
        }
        do throws(ValidationError) {
            return Sent(drafts: [try ToastDraft(message: text, limits: self.limits)], isBatch: false)
        } catch {
            throw Problem(.invalidToast, error.issues)
        }
    }

    /// Before any of the toasts is looked at.
    private func checkCount(_ count: Int, of visitor: Visitor) throws(Problem) {
        guard count > 0 else {
            throw Problem(.invalidToast, [ValidationIssue(pointer: "", detail: "At least one toast is expected.")])
        }
        guard count <= self.limits.batch else {
            throw Problem(.batchTooLarge, "A batch has at most \(self.limits.batch) toasts.")
        }
        try self.chargeRest(of: count, to: visitor)
    }

    private func draft(_ json: JSON, at pointer: @autoclosure () -> String) throws(Problem) -> ToastDraft {
        do throws(ValidationError) {
            return try ToastDraft(json: json, limits: self.limits)
        } catch {
            throw Problem(.invalidToast, error.issues.map { $0.inside(pointer()) })
        }
    }

    func broadcast(
        _ request: Request,
        of visitor: Visitor
    ) throws(Problem) -> (channels: [ChannelName], draft: ToastDraft) {
        try self.checkMemory()
        let json = try request.json(depth: self.limits.depth)
        guard let names = json["channels"]?.array, (1...self.limits.batch).contains(names.count) else {
            let detail = "A list of 1 to \(self.limits.batch) channel names is expected."
            throw Problem(.invalidToast, [ValidationIssue(pointer: "/channels", detail: detail)])
        }
        try self.chargeRest(of: names.count, to: visitor)
        var channels: [ChannelName] = []
        for (index, name) in names.enumerated() {
            guard let channel = name.string.flatMap(ChannelName.init), !channels.contains(channel) else {
                let detail = "A channel's name that is not in the list yet is expected."
                throw Problem(.invalidToast, [ValidationIssue(pointer: "/channels/\(index)", detail: detail)])
            }
            channels.append(channel)
        }
        guard let toast = json["toast"] else {
            throw Problem(.invalidToast, [ValidationIssue(pointer: "/toast", detail: "A toast is expected.")])
        }
        return (channels, try self.draft(toast, at: "/toast"))
    }
}
