public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server, and the credential for it.
public struct ToastServer: Sendable {
    /// Asked before each request, so that a token may end soon.
    ///
    /// It needs a time limit of its own. Its error ends the request or the stream, and is thrown as it is. An empty
    /// token is `ToastdError.unexpectedAnswer`; nil stands for none.
    public typealias Token = @Sendable () async throws -> String?

    /// The server's address, which may have a path.
    public let url: URL
    let transport: Transport
    private let token: Token
    private let attempts: Int

    /// A request is not repeated if the server asks for a longer pause than so many seconds.
    private static let longestPause = 30.0

    /// - Parameters:
    ///   - url: Such as `https://toasts.example`. With a URL without `http` or `https`, or without a host, every
    ///     request throws `ToastdError.unexpectedAnswer`.
    ///   - attempts: How often a request is sent in all, while the server cannot be reached or is busy. The pauses
    ///     between six attempts last 7.75 to 31 s together: of restarts of 10 s, 99.8 % are survived. With 1, every
    ///     failure is thrown at once. If the server asks for a longer pause than 30 s, its refusal is thrown.
    ///   - token: Gives an API key or a token; nil for a server that allows anonymous requests.
    public init(_ url: URL, attempts: Int = 6, token: @escaping Token = { nil }) {
        self.url = url
        self.transport = Transport()
        self.token = token
        self.attempts = attempts
    }

    /// A channel; it need not exist.
    public func channel(_ name: String) -> ToastChannel {
        ToastChannel(server: self, name: name)
    }

    private struct MultiPublication: Encodable {
        let channels: [String]
        let toast: ToastDraft
    }

    /// Publishes one toast on up to 100 channels.
    ///
    /// Each channel has it once, even if the answer is lost and the request is repeated.
    ///
    /// Each channel decides separately. If only some of them refuse the toast, or all for different reasons, nothing is
    /// thrown: the result of each channel is in `results`, in the order of `channels`. The request is then not repeated
    /// for the channels that refused it, not even if their queue is full. To try these again, repeat the call with the
    /// same `key`: it changes nothing in the channels that have the toast.
    ///
    /// - Parameters:
    ///   - draft: The toast.
    ///   - channels: The names of the channels; they must differ, and need not exist.
    ///   - key: The idempotency key.
    /// - Returns: What became of the toast in each channel.
    /// - Throws: `ToastdError.problem` if the toast or the list of channels is not valid, or if all channels refuse the
    ///   toast for the same reason: for several channels, its `document` then has `summary` and `results`. Other errors
    ///   are those of `ToastChannel.publish`.
    public func publish(
        _ draft: ToastDraft,
        to channels: [String],
        key: String = UUID().uuidString
    ) async throws -> PublicationResults {
        let publication = MultiPublication(channels: channels, toast: draft)
        return try await self.send(try .publishing(["v1", "toasts"], publication, key), as: PublicationResults.self)
    }

    /// The events of up to 128 channels, without end: after a lost connection they continue where they were.
    ///
    /// `channel` of an event says where it happened. A stream begins with a snapshot of each channel. From then on
    /// every cursor is a position in all channels: a stream of the same channels with it as `since` continues there.
    ///
    /// - Parameters:
    ///   - channels: The names of the channels; they need not exist.
    ///   - options: What the stream asks for in each of the channels.
    /// - Returns: The events. It throws the errors that `ToastEvents` names.
    public func events(of channels: [String], _ options: StreamOptions = StreamOptions()) -> ToastEvents {
        let stream = Call(method: "GET", path: ["v1", "stream"], query: channels.map { ("channel", $0) })
        return ToastEvents(updates: StreamUpdates(server: self, stream: stream, options: options))
    }

    /// Sends a call, and reads the document that answers it.
    func send<Document: Decodable>(_ call: Call, as type: Document.Type) async throws -> Document {
        try Self.document(try await self.send(call), as: type)
    }

    /// Reads the document of an answer.
    static func document<Document: Decodable>(_ body: Data, as type: Document.Type) throws -> Document {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw ToastdError.unexpectedAnswer("\(error)")
        }
    }

    /// Sends a call until it is answered or refused, or has failed too often.
    ///
    /// A call with `until` is repeated until then, however often it fails.
    func send(_ call: Call) async throws -> Data { try await self.outcome(of: call).get() }

    /// Sends a call in the same way; a failure is that of the server or of the way to it.
    ///
    /// It throws what the token's closure throws. That may be a `ToastdError` too, but says nothing about the server.
    func outcome(of call: Call) async throws -> Result<Data, ToastdError> {
        var attempt = 0
        var failure = ToastdError.connectionLost("the time for this request is over")
        while true {
            attempt += 1
            let isLast = call.until.map { ContinuousClock.now >= $0 } ?? (attempt >= self.attempts)
            // Outside of `do`, so that an error of the token is not repeated.
            let request = try await self.request(call)
            // The machine may have been suspended since the last attempt, or while the token was fetched.
            if let limit = call.notAfter, .now >= limit { return .failure(failure) }
            var head: AnswerHead?
            do {
                let answer = try await self.answer(to: request, isRepeatable: call.isRepeatable && call.notAfter == nil)
                guard !(200..<300).contains(answer.head.status) else { return .success(answer.body) }
                head = answer.head
                throw ToastdError.problem(ToastProblem(answer.head, answer.body))
            } catch let error as ToastdError {
                guard error.isPassing, call.isRepeatable, !isLast else { return .failure(error) }
                // A caller who waits for an answer expects it sooner than that.
                guard call.until != nil || (head?.retryAfter ?? 0) <= Self.longestPause else { return .failure(error) }
                let pause = Duration.seconds(Self.delay(attempt - 1, asked: head?.retryAfter))
                try await Task.sleep(for: call.until.map { min(pause, max(.zero, $0 - .now)) } ?? pause)
                failure = error
            }
        }
    }

    private func answer(
        to request: URLRequest,
        isRepeatable: Bool
    ) async throws -> (head: AnswerHead, body: Data) {
        var head: AnswerHead?
        var body = Data()
        // A session of Linux repeats a request by itself when the connection that it kept is closed before the answer.
        // A transport of its own has no such connection; it lives until the answer has ended.
        let transport = isRepeatable ? self.transport : Transport()
        for try await part in transport.send(request) {
            switch part {
            case .head(let start): head = start
            case .body(let data): body += data
            }
        }
        // The parts of a cancelled task end without an error.
        try Task.checkCancellation()
        guard let head else { throw ToastdError.connectionLost("no answer") }
        return (head, body)
    }

    func request(_ call: Call) async throws -> URLRequest {
        let url = try call.url(on: self.url)
        // Before the rest, which depends on the time that is left when the token has come.
        let token = try await self.token()
        // A request without a token would be that of another caller, and an idempotency key belongs to its caller.
        guard token != "" else { throw ToastdError.unexpectedAnswer("The token is empty; nil stands for no token.") }
        var request = URLRequest(url: url)
        // On Linux the initializer's argument is ignored.
        request.timeoutInterval = call.timeout
        request.httpMethod = call.method
        request.httpBody = call.body
        // A session asks for the machine's language otherwise. That of a stream is in its query.
        request.setValue("*", forHTTPHeaderField: "Accept-Language")
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        if let until = call.until {
            let wait = max(1, min(Call.longestWait, (until - .now) / .seconds(1)).rounded())
            request.setValue("wait=\(Int(wait))", forHTTPHeaderField: "Prefer")
            request.timeoutInterval = wait + 30
        }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        return request
    }

    /// Seconds before the next attempt: what the server asks for, otherwise doubling from one second to 30.
    ///
    /// A part is random, so that many clients do not come back at once.
    static func delay(_ attempt: Int, asked: Double?) -> Double {
        if let asked { return Self.bounded(asked * .random(in: 1...1.2)) }
        return Double(min(30, 1 << min(attempt, 5))) * .random(in: 0.25...1)
    }

    /// A pause with which the client neither floods the server nor seems dead, whatever the server asks for.
    static func bounded(_ seconds: Double) -> Double { max(0.25, min(3600, seconds)) }
}
