import Crypto
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

/// How the response to a publish is written.
struct PublicationAnswer: Sendable {
    /// The part that the channel stores for repetitions.
    var form: AnswerForm
    let reader: ResponseLocale

    init(_ form: AnswerForm, _ reader: ResponseLocale) {
        (self.form, self.reader) = (form, reader)
        self.form.reader = reader.principal
        self.form.language = reader.language
    }

    private var isBatch: Bool { self.form.shape == .batch }

    func response(_ accepted: Publication) -> Response {
        let (toasts, status) = (accepted.toasts, accepted.isNew ? 201 : 200)
        guard !self.form.isMinimal else {
            var response = Response(status: status)
            response.addHeader("Cache-Control", "no-store")
            response.addHeader("Preference-Applied", "return=minimal")
            self.locate(toasts, in: &response)
            return response
        }
        var response = self.copy(of: accepted, status) ?? self.document(of: accepted, status)
        self.locate(toasts, in: &response)
        return self.reader.marking(response, toasts)
    }

    private func document(of accepted: Publication, _ status: Int) -> Response {
        let toasts = accepted.toasts.map { self.reader.toast($0, isNew: !accepted.known.contains($0.id)) }
        return .json(status) { writer in
            guard self.isBatch else {
                toasts.first?.write(to: &writer) { $0.warnings(self.form.warnings) }
                return
            }
            writer.object { writer in
                writer.member("toasts", toasts)
                writer.warnings(self.form.warnings)
            }
        }
    }

    /// The same response, copied from the toasts' stored events; `nil` when it differs from these.
    private func copy(of accepted: Publication, _ status: Int) -> Response? {
        guard let first = accepted.stored.first, self.form.warnings.isEmpty,
            !ResponseLocale.areLocalized(accepted.toasts)
        else { return nil }
        guard self.isBatch else { return .json(status, encoded: Array(first.enqueuedToast)) }
        return .object(status) { writer in
            writer.array("toasts") { writer in
                for event in accepted.stored { writer.encoded(event.enqueuedToast) }
            }
        }
    }

    /// Adds the location and entity tag to a response about one toast.
    private func locate(_ toasts: [Toast], in response: inout Response) {
        guard !self.isBatch, let toast = toasts.first else { return }
        response.addHeader("Location", toast.location)
        response.addHeader("ETag", self.reader.entityTag(of: toast))
    }
}

extension API {
    /// The header field of a repeated answer.
    static let replayField = "Idempotency-Replayed"

    /// The request's idempotency key, which is its caller's own, and its digest; `nil` when it has no key.
    func idempotentRequest(_ request: Request, of caller: Caller) throws(Problem) -> IdempotentRequest? {
        guard let text = request.headers["idempotency-key"] else { return nil }
        // The draft wants a quoted string of RFC 9651; most clients send it bare.
        let isQuoted = text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let key = isQuoted ? String(text.dropFirst().dropLast()) : text
        guard request.headers.count(of: "idempotency-key") == 1 else { throw self.invalidKey }
        return try self.idempotentRequest(request, of: caller, under: key)
    }

    /// A request that its caller may repeat under a key.
    func idempotentRequest(
        _ request: Request,
        of caller: Caller,
        under key: String
    ) throws(Problem) -> IdempotentRequest {
        let head = "\(request.target.path) \(request.mediaType ?? "")"
        return try self.idempotentRequest(key, of: caller.principal, digesting: head, request.body)
    }

    /// A request that its sender may repeat under a key.
    ///
    /// It is the key, and a digest of `head` (path and media type) and body.
    func idempotentRequest(
        _ key: String,
        of sender: Principal,
        digesting head: String,
        _ body: [UInt8]
    ) throws(Problem) -> IdempotentRequest {
        guard (1...self.limits.idempotencyKeyBytes).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else { throw self.invalidKey }
        var digest = SHA256()
        digest.update(data: Array("\(head)\n".utf8))
        digest.update(data: body)
        return IdempotentRequest(key: IdempotencyKey(key, of: sender.name), fingerprint: Array(digest.finalize()))
    }

    private var invalidKey: Problem {
        Problem(.idempotencyKeyInvalid, "A key has 1 to \(self.limits.idempotencyKeyBytes) printable ASCII characters.")
    }

    /// An answer as it is kept for a repetition: status, the header fields that matter, body.
    ///
    /// `isStripped` says that the sender could not read toasts even then, so the body has receipts for all toasts but
    /// the sender's own.
    static func record(_ response: Response, isStripped: Bool) -> [UInt8] {
        JSONWriter.encodedObject { writer in
            writer.member("status", response.status)
            if isStripped { writer.member("isStripped", true) }
            writer.object("headers") { writer in
                for field in response.headers { writer.member(named: field.name, field.value) }
            }
            if !response.body.isEmpty {
                writer.name("body")
                writer.encoded(response.body)
            }
        }
    }

    /// The kept answer without the parts that its sender may no longer see: permissions may have been withdrawn since.
    static func replay(
        _ record: [UInt8],
        to reader: Principal,
        in channel: ChannelName,
        isBatch: Bool
    ) throws(Problem) -> Response {
        guard let json = try? JSON(stored: record), let status = json["status"]?.integer else {
            throw Problem(.internalError)
        }
        let isOwn = status == 201 && !isBatch || json["isStripped"] == true
        let body = isOwn || reader.may(.subscribe, on: channel) ? json["body"] : json["body"]?.withReceipts
        var response = Response(status: Int(status), body: body?.bytes ?? [])
        for (name, value) in json["headers"]?.object ?? [:] { response.addHeader(name, value.string ?? "") }
        response.addHeader(Self.replayField, "true")
        return response
    }
}
