import Crypto
import MicroHTTP
import ToastCore
import ToastHub

/// How a publication is answered.
struct PublicationAnswer: Sendable {
    let isBatch: Bool
    /// Whether the header says enough.
    let isMinimal: Bool
    let reader: Reader
    /// What is hard to see about the toasts.
    var warnings: [ContrastWarning] = []

    /// The answer about toasts, of which at least one is new, or all are known already.
    func response(_ accepted: Acceptance) -> Response {
        let (toasts, status) = (accepted.toasts, accepted.isNew ? 201 : 200)
        guard !self.isMinimal else {
            var response = Response(status: status)
            response.addHeader("Cache-Control", "no-store")
            response.addHeader("Preference-Applied", "return=minimal")
            self.locate(toasts, in: &response)
            return response
        }
        var response = self.copy(of: accepted, status) ?? self.document(of: toasts, status)
        self.locate(toasts, in: &response)
        self.reader.mark(&response, toasts)
        return response
    }

    private func document(of toasts: [Toast], _ status: Int) -> Response {
        .json(status) { writer in
            guard self.isBatch else {
                toasts.first.map(self.reader.toast)?.write(to: &writer) { $0.warnings(self.warnings) }
                return
            }
            writer.object { writer in
                writer.member("toasts", toasts.map(self.reader.toast))
                writer.warnings(self.warnings)
            }
        }
    }

    /// The same, with the texts that the toasts' events have; nil when these say something else.
    private func copy(of accepted: Acceptance, _ status: Int) -> Response? {
        guard let first = accepted.events.first, self.warnings.isEmpty, !Reader.areLocalized(accepted.toasts) else {
            return nil
        }
        guard self.isBatch else { return .json(status, encoded: Array(first.enqueuedToast)) }
        return .json(status) { writer in
            writer.object { writer in
                writer.name("toasts")
                writer.array { writer in for event in accepted.events { writer.encoded(event.enqueuedToast) } }
            }
        }
    }

    /// Says of the answer about one toast where it is found.
    private func locate(_ toasts: [Toast], in response: inout Response) {
        guard !self.isBatch, let toast = toasts.first else { return }
        response.addHeader("Location", toast.location)
        response.addHeader("ETag", self.reader.entityTag(of: toast))
    }
}

extension API {
    /// The request's idempotency key and digest; nil when it has none.
    func idempotentRequest(_ request: Request) throws(Problem) -> IdempotentRequest? {
        guard let text = request.headers["idempotency-key"] else { return nil }
        // The draft wants a quoted string of RFC 9651; most clients send it bare.
        let isQuoted = text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let longest = self.limits.idempotencyKeyBytes
        let key = isQuoted ? String(text.dropFirst().dropLast()) : text
        guard request.headers.count(of: "idempotency-key") == 1, (1...longest).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
        else {
            throw Problem(.idempotencyKeyInvalid, "A key has 1 to \(longest) printable ASCII characters.")
        }
        var digest = SHA256()
        digest.update(data: Array("\(request.target.path) \(request.mediaType ?? "")\n".utf8))
        digest.update(data: request.body)
        return IdempotentRequest(key: key, fingerprint: Array(digest.finalize()))
    }

    /// An answer as it is kept for a repetition: status, the header fields that matter, body.
    static func record(_ response: Response) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("status", response.status)
            writer.member(
                "headers",
                object: { writer in
                    for field in response.headers { writer.member(named: field.name, field.value) }
                }
            )
            if !response.body.isEmpty {
                writer.name("body")
                writer.encoded(response.body)
            }
        }
        return writer.bytes
    }

    static func replay(_ record: [UInt8]) throws(Problem) -> Response {
        guard let json = try? JSON(parsing: record, depthLimit: 32), let status = json["status"]?.integer else {
            throw Problem(.internalError)
        }
        var response = Response(status: Int(status), body: json["body"]?.bytes ?? [])
        for (name, value) in json["headers"]?.object ?? [:] { response.addHeader(name, value.string ?? "") }
        response.addHeader("Idempotency-Replayed", "true")
        return response
    }
}
