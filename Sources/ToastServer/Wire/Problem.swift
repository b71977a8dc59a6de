import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

/// Why a request was not carried out (RFC 9457): thrown by endpoints, and written by `API.respond`.
struct Problem: Error {
    let type: ProblemType
    /// The status code: that of the type, unless the client only understands another one.
    var status: Int
    /// The explanation of the problem for this request.
    ///
    /// Never holds anything that the client sent.
    var detail: String?
    /// The faults of the request's document.
    var issues: [ValidationIssue] = []
    /// The toast whose state is the reason; nil for other problems.
    var toast: ShownToast? {
        get { self.subject.first }
        set { self.subject = newValue.map { [$0] } ?? [] }
    }
    /// Seconds after which to try again; nil when not known.
    var retryAfter: Int?
    /// Header fields that belong to the answer.
    var headers: [(name: String, value: String)] = []
    /// Extension members (RFC 9457 §3.2).
    var extensions: JSONObject = [:]

    /// The value of `toast`, in an array to be small: every call that may throw a problem keeps room for a whole one.
    private var subject: [ShownToast] = []

    init(_ type: ProblemType, _ detail: String? = nil, retryAfter seconds: Int? = nil) {
        self.type = type
        self.status = type.status
        self.detail = detail
        if let seconds { self.retry(after: seconds) }
    }

    /// A document with faults; if all of them exceed the same limit, the problem is of that limit's type.
    init(_ type: ProblemType, _ issues: [ValidationIssue]) {
        let limit = issues.first?.limit
        self.type = limit.flatMap { limit in issues.allSatisfy { $0.limit == limit } ? limit.problem : nil } ?? type
        self.status = self.type.status
        self.issues = issues
        self.detail = issues.first?.detail
    }

    /// A document with one fault.
    init(_ type: ProblemType, at pointer: String, _ detail: String) {
        self.init(type, [ValidationIssue(pointer: pointer, detail: detail)])
    }

    /// The response with the problem, and with the id of its request unless that could not be read.
    func response(to request: Request? = nil) -> Response {
        Response(status: self.status, body: self.body(for: request?.id))
            .adding("Content-Type", "application/problem+json")
            .adding("Cache-Control", "no-store")
            .adding(self.headers)
    }

    /// The problem as a document, with the request's id as its instance.
    func body(for id: String?) -> [UInt8] {
        var writer = JSONWriter()
        self.write(to: &writer, instance: id.map { "urn:toastd:request:\($0.escapedForURN)" })
        return writer.bytes
    }

    func write(to writer: inout JSONWriter, instance: String? = nil) {
        writer.object { writer in
            writer.member("type", self.type.uri)
            writer.member("title", self.type.title)
            writer.member("status", self.status)
            writer.member("detail", self.detail)
            writer.member("instance", instance)
            if !self.issues.isEmpty {
                writer.array("errors") { writer in
                    for issue in self.issues {
                        writer.object { writer in
                            writer.member("pointer", issue.pointer)
                            writer.member("detail", issue.detail)
                        }
                    }
                }
            }
            writer.member("retryAfter", self.retryAfter)
            writer.member("toast", self.toast)
            for (name, value) in self.extensions { writer.member(named: name, value) }
        }
    }
}

extension String {
    /// The text with the characters escaped that a URN cannot have (RFC 8141 §2.2).
    fileprivate var escapedForURN: String {
        guard !self.utf8.allSatisfy(ASCIISet.unreserved.contains) else { return self }
        return self.utf8.map { byte in
            ASCIISet.unreserved.contains(byte)
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        .joined()
    }
}

extension ExceededLimit {
    /// The problem of a document that exceeds the limit.
    fileprivate var problem: ProblemType {
        switch self {
        case .text: .textTooLong
        case .arguments: .tooManyArguments
        case .actions: .tooManyActions
        case .webhooks: .tooManyWebhooks
        case .catalog: .catalogTooLarge
        }
    }
}

// MARK: - Errors of lower layers

extension Problem {
    /// A body that cannot be read as a JSON document.
    init(from error: JSONSyntaxError) {
        let type = error.isTooDeep ? ProblemType.documentTooDeep : .invalidJSON
        self.init(type, at: error.pointer ?? "", "byte \(error.offset): \(error.detail)")
    }

    /// A request that a channel did not carry out.
    init(from error: ChannelError, toast: ShownToast? = nil) {
        switch error {
        case .refused(let reason): self.init(from: reason)
        case .settingsChanged:
            self.init(.preconditionFailed, "The settings are not what the request demands.")
        case .invalidSettings(let error): self.init(.invalidSettings, error.issues)
        case .store(let error): self.init(from: error)
        case .tooManyChannels: self.init(.tooManyChannels, retryAfter: 10)
        case .outOfMemory: self = .outOfMemory
        case .tooManyKeys:
            let detail =
                "Each stored key is the only one of its sender, so none is removed. A request without a key is carried out."
            self.init(.tooManyIdempotencyKeys, detail, retryAfter: 60)
        case .keyReused: self.init(.idempotencyKeyReused)
        case .keyInUse: self.init(.idempotencyKeyInUse)
        }
        self.toast = toast
    }

    /// A store that failed.
    init(from error: StoreError) {
        switch error {
        case .tooManyChannels:
            let detail = "The channel would be one more; those that are there go on."
            self.init(.tooManyStoredChannels, detail, retryAfter: 60)
        case .undecided:
            let detail = "Repeat the request, with its idempotency key if it has one; it is done once."
            self.init(.storeUndecided, detail, retryAfter: 1)
        default:
            self.init(.storeUnavailable, "Nothing was changed; try again in a moment.", retryAfter: 1)
        }
    }

    /// The server has no memory left for this request or its response.
    static var outOfMemory: Self {
        Self(.outOfMemory, "Nothing was changed; try again in a moment.", retryAfter: 10)
    }

    /// The request opens no WebSocket, and says what its client can upgrade to (RFC 9110 §15.5.22, RFC 6455 §4.4).
    static func upgradeRequired(_ detail: String? = nil) -> Self {
        var problem = Self(.upgradeRequired, detail)
        problem.headers = [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
        return problem
    }

    /// A stream that was not opened.
    init(from error: StreamError) {
        switch error {
        case .channel(let error): self.init(from: error)
        case .tooManyStreams: self.init(.tooManyStreams, retryAfter: 10)
        case .tooManyStreamsOfSource: self.init(.tooManyStreamsFromSource, retryAfter: 30)
        case .tooManyStreamsOfChannel: self.init(.tooManyStreamsOfChannel, retryAfter: 10)
        case .draining: self.init(.shuttingDown)
        case .outOfMemory: self = .outOfMemory
        case .tooManyChannels:
            self.init(.invalidParameter, "The stream would hear more channels than one may.")
        case .permissionsEnded: self.init(from: AuthenticationError.invalid)
        }
    }

    /// A request that the HTTP layer refused.
    init(from error: HTTPError) {
        switch error {
        case .malformed(let rule): self.init(.malformedRequest, rule)
        case .unknownTransferCoding: self.init(.notImplemented, "The transfer coding is unknown.")
        case .pathTooLong:
            self.init(
                .pathTooLong,
                "A path has at most \(Target.pathLimit) bytes and \(Target.segmentLimit) segments."
            )
        case .headTooLong(let limit): self.init(.headTooLarge, "A head has at most \(limit) bytes.")
        case .tooManyFields(let limit): self.init(.tooManyHeaderFields, "A head has at most \(limit) fields.")
        case .bodyTooLong(let limit): self.init(.payloadTooLarge, "A body has at most \(limit) bytes.")
        case .tooManyConnections: self.init(.tooManyConnectionsFromSource, retryAfter: 10)
        case .notFound: self.init(.notFound)
        case .methodNotAllowed(let methods):
            self.init(.methodNotAllowed)
            self.headers = [("Allow", methods.map(\.rawValue).joined(separator: ", "))]
        case .stopping: self.init(.shuttingDown)
        }
    }

    private init(from error: EngineError) {
        switch error {
        case .queueFull(let capacity):
            // About as long as a toast is on screen.
            self.init(.queueFull, "The queue holds at most \(capacity) toasts.", retryAfter: 5)
        case .batchTooLong(let capacity):
            self.init(.batchTooLarge, "The channel's queue holds at most \(capacity) toasts.")
        case .toastAlreadyPresented(let id): self.init(.toastAlreadyPresented, "Toast \(id) is in the way.")
        case .toastNotFound: self.init(.toastNotFound)
        case .actionNotFound: self.init(.actionNotFound)
        case .toastDismissed: self.init(.toastDismissed)
        case .toastNotPresented: self.init(.toastNotPresented)
        case .revisionMismatch(let current):
            self.init(.preconditionFailed, "The toast is at revision \(current).")
        case .invalid(let error): self.init(.invalidPatch, error.issues)
        }
    }
}
