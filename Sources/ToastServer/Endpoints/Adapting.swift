import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

// Shared by all routes for other systems' formats: they read a request as a format, and publish its toasts.

extension Request {
    func input(_ limits: Limits) -> FormatInput {
        let headers = self.headers
        return FormatInput(
            contentType: headers["content-type"],
            field: { headers[$0] },
            query: self.target.query.map { (name: $0.name, value: $0.value) },
            body: self.body,
            limits: limits
        )
    }
}

extension API {
    /// The outcome of publishing another system's message.
    struct Adaptation {
        /// The toasts; none when the message is a repetition.
        var toasts: [Toast] = []
        /// The toast of the first message, if this is its repetition; empty when that made several.
        var repeated: [ToastID]?

        var ids: [ToastID] { self.repeated ?? self.toasts.map(\.id) }
    }

    /// Publishes the toasts that a format made, all or none.
    ///
    /// `warnings` (by default those of the toasts) are about parts of the message that are in no toast: they are
    /// logged, because most senders do not read answers. `key` is the idempotency key of the message, if it has one.
    func publish(
        _ toasts: [MappedToast],
        to channel: ChannelName,
        by caller: Caller,
        warnings: [Warning]? = nil,
        under key: String? = nil,
        of request: Request
    ) async throws(Problem) -> Adaptation {
        try self.checkMemory()
        try caller.principal.need(.publish, on: channel)
        self.log(warnings ?? toasts.flatMap(\.warnings), of: request, to: channel, caller)
        guard !toasts.isEmpty else { return Adaptation() }
        try self.chargeRest(of: toasts.count, to: caller)
        var repetition: IdempotentRequest?
        if let key {
            repetition = try self.idempotentRequest(key, of: caller.principal, digesting: channel.rawValue, [])
            repetition?.form.shape = toasts.count == 1 ? .toast : .batch
            repetition?.form.reader = caller.principal
        }
        let publish = PublishRequest(toasts.map(\.draft), key: repetition)
        let answer = try await self.perform(.publish(publish), on: channel, for: caller.principal)
        switch answer {
        case .published(let publication): return Adaptation(toasts: publication.toasts)
        case .repeated(let repetition): return Adaptation(repeated: [repetition.toast].compactMap(\.self))
        default: throw answer.fault
        }
    }

    /// Logs which parts of a message are in no toast, without their content.
    private func log(_ warnings: [Warning], of request: Request, to channel: ChannelName, _ caller: Caller) {
        guard !warnings.isEmpty else { return }
        self.telemetry.note(
            "parts of a message were dropped",
            [
                "request": request.id, "caller": caller.principal.name, "channel": channel.rawValue,
                "members": warnings.map(\.pointer).joined(separator: ","),
            ]
        )
    }
}

extension Problem {
    /// A message that a format cannot read as toasts.
    init(from error: FormatError) {
        switch error {
        case .notJSON(let error): self.init(from: error)
        case .invalid(let pointer, let detail): self.init(.invalidToast, at: pointer, detail)
        case .noText: self.init(.invalidToast, at: "", "The message has no text that a toast could show.")
        case .invalidToast(let error): self.init(.invalidToast, error.issues)
        case .wrongSignature: self.init(.credentialsInvalid, "The signature is not that of the hook's secret.")
        }
    }
}

extension Response {
    static func text(_ status: Int, _ text: String) -> Self {
        Response(status: status, body: Array(text.utf8))
            .adding("Content-Type", "text/plain; charset=utf-8")
            .adding("Cache-Control", "no-store")
    }
}
