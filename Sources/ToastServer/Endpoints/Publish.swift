import Crypto
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The longest time that a publisher may wait for its toast's end, in seconds.
    private static let longestWait = 3600

    /// Answers `POST /v1/channels/{channel}/toasts`.
    func publish(_ request: Request) async throws(Problem) -> Reply {
        let name = try request.channel()
        let publication = try self.publication(request)
        let preferences = Preferences(request)
        let idempotent = try self.idempotentRequest(request)
        let answer = PublicationAnswer(
            isBatch: publication.isBatch,
            isMinimal: preferences.isMinimal,
            reader: Reader(request, self.hub.catalogs),
            warnings: try await self.warnings(of: publication.appearances, in: name)
        )
        let outcome: Publication
        do throws(ChannelError) {
            outcome = try await self.hub.perform(on: name) { channel throws(ChannelError) in
                try await channel.publish(publication.drafts, as: idempotent) { toasts, isNew in
                    Self.record(answer.response(toasts, isNew: isNew))
                }
            }
        } catch {
            throw await self.problem(error, in: name)
        }
        switch outcome {
        case .repeated(let record):
            let response = try Self.replay(record)
            // Whoever asks a person again, because the connection was lost, waits for the same answer.
            guard let wait = preferences.wait, let toast = Self.toast(in: response) else { return .response(response) }
            return await self.waitForEnd(of: toast, wait, for: answer.reader, otherwise: response)
        case .accepted(let toasts, let isNew):
            let response = answer.response(toasts, isNew: isNew)
            guard let wait = preferences.wait, !publication.isBatch, let toast = toasts.first else {
                return .response(response)
            }
            return await self.waitForEnd(of: toast, wait, for: answer.reader, otherwise: response)
        }
    }

    /// Answers `POST /v1/toasts`.
    func publishToMany(_ request: Request, _ caller: Principal) async throws(Problem) -> Reply {
        let (channels, draft) = try self.broadcast(request)
        let idempotent = try self.idempotentRequest(request)
        var results: [(channel: ChannelName, result: Result<Published, Problem>)] = []
        for name in channels {
            do throws(Problem) {
                try caller.need(.publish, on: name)
                results.append((name, .success(try await self.publish(draft, to: name, as: idempotent))))
            } catch {
                results.append((name, .failure(error)))
            }
        }
        let reader = Reader(request, self.hub.catalogs)
        let isMixed = results.contains { if case .failure = $0.result { true } else { false } }
        return .response(
            .json(isMixed ? 207 : 201) { writer in
                writer.object { writer in
                    writer.name("results")
                    writer.array { writer in for result in results { Self.write(result, for: reader, to: &writer) } }
                }
            }
        )
    }

    private func publish(
        _ draft: ToastDraft,
        to name: ChannelName,
        as request: IdempotentRequest?
    ) async throws(Problem) -> Published {
        let publication: Publication
        do throws(ChannelError) {
            publication = try await self.hub.perform(on: name) { channel throws(ChannelError) in
                try await channel.publish([draft], as: request) { toasts, _ in
                    toasts.first.map { $0.encoded } ?? []
                }
            }
        } catch {
            throw await self.problem(error, in: name)
        }
        switch publication {
        case .accepted(let toasts, let isNew):
            guard let toast = toasts.first else { throw Problem(.internalError) }
            return Published(toast: toast, isNew: isNew)
        case .repeated(let record):
            guard let json = try? Request.json(record), let toast = try? Toast(json: json) else {
                throw Problem(.internalError)
            }
            // What was there already has been revised by what was sent.
            return Published(toast: toast, isNew: toast.revision == 1)
        }
    }

    private static func write(
        _ result: (channel: ChannelName, result: Result<Published, Problem>),
        for reader: Reader,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("channel", result.channel)
            switch result.result {
            case .success(let published):
                writer.member("status", published.isNew ? 201 : 200)
                writer.member("toast", reader.toast(published.toast))
            case .failure(let problem):
                writer.member("status", problem.type.status)
                writer.name("problem")
                problem.write(to: &writer)
            }
        }
    }

    /// Answers when the toast is dismissed, or with how it stands when the time is up.
    ///
    /// The toast is stored, so when it cannot be waited for, the answer is that of a publisher who does not wait.
    private func waitForEnd(
        of toast: Toast,
        _ seconds: Int,
        for reader: Reader,
        otherwise response: Response
    ) async -> Reply {
        let seconds = min(seconds, Self.longestWait)
        do throws(StreamError) {
            let ticket = try await self.fanout.openOutcome(
                of: toast.id,
                in: toast.channel,
                wait: Interval(seconds: Double(seconds))
            ) { end in
                let toast = end ?? toast
                let response = reader.response(toast, status: toast.state == .dismissed ? 200 : 202)
                    .adding("Location", toast.location)
                    .adding("Preference-Applied", "wait=\(seconds)")
                return Frame(response.serialized())
            }
            return ticket.reply()
        } catch {
            return .response(response)
        }
    }

    /// The one toast of an answer; nil when it has none, or several.
    private static func toast(in response: Response) -> Toast? {
        guard let json = try? JSON(parsing: response.body, depthLimit: 32) else { return nil }
        return try? Toast(json: json)
    }
}

/// What became of a toast in one of several channels.
private struct Published {
    let toast: Toast
    /// Whether it is a new one; if not, it was there already.
    let isNew: Bool
}

// MARK: - Bodies

/// What a publisher sent.
struct Sent {
    let drafts: [ToastDraft]
    let isBatch: Bool

    /// What the toasts say about their own looks, and where they stand in the document.
    var appearances: [(pointer: String, appearance: JSONObject?)] {
        self.drafts.enumerated().map { (self.isBatch ? "/\($0)" : "", $1.details.appearance) }
    }
}

extension API {
    /// Reads the body: a toast, a list of toasts, a toast a line, or nothing but the message.
    private func publication(_ request: Request) throws(Problem) -> Sent {
        switch request.mediaType {
        case "application/json":
            return try self.toasts(in: Request.json(request.body))
        case "application/x-ndjson", "application/jsonl":
            return try self.lines(in: request.body)
        case "application/x-www-form-urlencoded", nil:
            // What `curl -d` says of any text: a message, unless it is plainly a document.
            let isDocument = request.body.first == UInt8(ascii: "{") || request.body.first == UInt8(ascii: "[")
            return isDocument ? try self.toasts(in: Request.json(request.body)) : try self.message(request.body)
        case "text/plain":
            return try self.message(request.body)
        default:
            throw Problem(
                .unsupportedMediaType,
                "Send application/json, application/x-ndjson or text/plain."
            )
        }
    }

    private func toasts(in json: JSON) throws(Problem) -> Sent {
        guard let items = json.array else { return Sent(drafts: [try self.draft(json, at: "")], isBatch: false) }
        try self.checkCount(items.count)
        var drafts: [ToastDraft] = []
        for (index, item) in items.enumerated() { drafts.append(try self.draft(item, at: "/\(index)")) }
        return Sent(drafts: drafts, isBatch: true)
    }

    private func lines(in body: [UInt8]) throws(Problem) -> Sent {
        let lines = body.split(separator: UInt8(ascii: "\n")).filter { line in
            line.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") }
        }
        try self.checkCount(lines.count)
        var drafts: [ToastDraft] = []
        for (index, line) in lines.enumerated() {
            drafts.append(try self.draft(Self.line(Array(line), at: "/\(index)"), at: "/\(index)"))
        }
        return Sent(drafts: drafts, isBatch: true)
    }

    private static func line(_ bytes: [UInt8], at pointer: String) throws(Problem) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSON(parsing: bytes)
        } catch {
            var problem = Problem(from: error)
            problem.issues = problem.issues.map {
                ValidationIssue(pointer: pointer + $0.pointer, detail: $0.detail)
            }
            throw problem
        }
    }

    private func message(_ body: [UInt8]) throws(Problem) -> Sent {
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Problem(.invalidToast, [ValidationIssue(pointer: "/message", detail: "is not UTF-8")])
        }
        do throws(ValidationError) {
            return Sent(drafts: [try ToastDraft(message: text, limits: self.limits)], isBatch: false)
        } catch {
            throw Problem(.invalidToast, error.issues)
        }
    }

    private func checkCount(_ count: Int) throws(Problem) {
        guard count > 0 else {
            throw Problem(.invalidToast, [ValidationIssue(pointer: "", detail: "holds no toast")])
        }
        guard count <= self.limits.batch else {
            throw Problem(.batchTooLarge, "A batch has at most \(self.limits.batch) toasts.")
        }
    }

    private func draft(_ json: JSON, at pointer: String) throws(Problem) -> ToastDraft {
        do throws(ValidationError) {
            return try ToastDraft(json: json, limits: self.limits)
        } catch {
            throw Problem(
                .invalidToast,
                error.issues.map { ValidationIssue(pointer: pointer + $0.pointer, detail: $0.detail) }
            )
        }
    }

    private func broadcast(_ request: Request) throws(Problem) -> (channels: [ChannelName], draft: ToastDraft) {
        let json = try request.json()
        guard let names = json["channels"]?.array, (1...self.limits.batch).contains(names.count) else {
            let detail = "is a list of 1 to \(self.limits.batch) names"
            throw Problem(.invalidToast, [ValidationIssue(pointer: "/channels", detail: detail)])
        }
        var channels: [ChannelName] = []
        for (index, name) in names.enumerated() {
            guard let channel = name.string.flatMap(ChannelName.init), !channels.contains(channel) else {
                let detail = "is not a channel's name, or is there twice"
                throw Problem(.invalidToast, [ValidationIssue(pointer: "/channels/\(index)", detail: detail)])
            }
            channels.append(channel)
        }
        guard let toast = json["toast"] else {
            throw Problem(.invalidToast, [ValidationIssue(pointer: "/toast", detail: "is missing")])
        }
        return (channels, try self.draft(toast, at: "/toast"))
    }
}

// MARK: - Answers and repetitions

/// How a publication is answered.
private struct PublicationAnswer {
    let isBatch: Bool
    /// Whether the header says enough.
    let isMinimal: Bool
    let reader: Reader
    /// What is hard to see about the toasts.
    let warnings: [ContrastWarning]

    /// The answer about toasts, of which at least one is new, or all are known already.
    func response(_ toasts: [Toast], isNew: Bool) -> Response {
        let status = isNew ? 201 : 200
        guard !self.isMinimal else {
            let response = Response(status: status)
                .adding("Cache-Control", "no-store")
                .adding("Preference-Applied", "return=minimal")
            return self.located(response, toasts)
        }
        let response = Response.json(status) { writer in
            guard self.isBatch else {
                toasts.first.map(self.reader.toast)?.write(to: &writer) { $0.warnings(self.warnings) }
                return
            }
            writer.object { writer in
                writer.member("toasts", toasts.map(self.reader.toast))
                writer.warnings(self.warnings)
            }
        }
        return self.reader.marking(self.located(response, toasts), toasts)
    }

    /// Says of the answer about one toast where it is found.
    private func located(_ response: Response, _ toasts: [Toast]) -> Response {
        guard !self.isBatch, let toast = toasts.first else { return response }
        return response.adding("Location", toast.location).adding("ETag", self.reader.entityTag(of: toast))
    }
}

extension API {
    /// The request's idempotency key and digest; nil when it has none.
    private func idempotentRequest(_ request: Request) throws(Problem) -> IdempotentRequest? {
        guard let text = request.headers["idempotency-key"] else { return nil }
        // The draft wants a quoted string of RFC 9651; most clients send it bare.
        let isQuoted = text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let key = isQuoted ? String(text.dropFirst().dropLast()) : text
        guard request.headers.count(of: "idempotency-key") == 1, (1...255).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else {
            throw Problem(.idempotencyKeyInvalid, "A key has 1 to 255 printable ASCII characters.")
        }
        var digest = SHA256()
        digest.update(data: Array("\(request.target.path) \(request.mediaType ?? "")\n".utf8))
        digest.update(data: request.body)
        return IdempotentRequest(key: key, fingerprint: Array(digest.finalize()))
    }

    /// An answer as it is kept for a repetition: status, the header fields that matter, body.
    private static func record(_ response: Response) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("status", response.status)
            writer.member(
                "headers",
                object: { writer in
                    for field in response.headers { writer.member(field.name, field.value) }
                }
            )
            if !response.body.isEmpty {
                writer.name("body")
                writer.encoded(response.body)
            }
        }
        return writer.bytes
    }

    private static func replay(_ record: [UInt8]) throws(Problem) -> Response {
        guard let json = try? JSON(parsing: record, depthLimit: 32), let status = json["status"]?.integer else {
            throw Problem(.internalError)
        }
        var response = Response(status: Int(status), body: json["body"]?.bytes ?? [])
        for (name, value) in json["headers"]?.object ?? [:] { response.addHeader(name, value.string ?? "") }
        response.addHeader("Idempotency-Replayed", "true")
        return response
    }
}
