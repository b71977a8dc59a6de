public import Courier
public import ToastCore

/// A server as a command speaks to it: one request after the other.
public struct Client: Sendable {
    /// Where the server is.
    public let server: ServerURL

    private let caller: CurlCaller
    private let token: String?

    /// More than any answer has.
    private static let answerLimit = 16_777_216

    /// A client that shows a token, if it has one.
    public init(_ server: ServerURL, token: String?, caller: CurlCaller) {
        self.server = server
        self.token = token
        self.caller = caller
    }

    /// Asks, and reads the answer as JSON.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path, escaped.
    ///   - headers: What the request says beside what every request says.
    ///   - body: A document to send.
    ///   - patience: For how many seconds nothing may come.
    /// - Returns: The document that came back.
    /// - Throws: Why there is none.
    public func ask(
        _ method: String,
        _ path: String,
        headers: [(name: String, value: String)] = [],
        body: JSON? = nil,
        patience: Int = 30
    ) throws(ClientError) -> JSON {
        var call = self.call(method, path, accept: "application/json", headers)
        call.body = body?.bytes
        call.patience = patience
        if body != nil { call.headers.append(("Content-Type", "application/json")) }
        var answer: [UInt8] = []
        let head: ReplyHead
        do throws(CallError) {
            head = try self.caller.perform(call) { _, bytes in
                answer += bytes
                return answer.count <= Self.answerLimit
            }
        } catch {
            throw self.error(error)
        }
        guard (200..<300).contains(head.status) else { throw .refused(Refusal(head, body: answer)) }
        do throws(JSONSyntaxError) { return try JSON(parsing: answer, depthLimit: 64) } catch {
            throw .nonsense(self.server)
        }
    }

    /// Asks for a stream, and hands on what comes as it comes.
    ///
    /// - Parameters:
    ///   - path: The path, escaped.
    ///   - headers: What the request says beside what every request says.
    ///   - patience: For how many seconds nothing may come.
    ///   - receive: Gets the next bytes; also none, about once a second. It returns whether to go on.
    /// - Throws: Why there is no stream, or why it ended before the server had enough of it.
    public func stream(
        _ path: String,
        headers: [(name: String, value: String)],
        patience: Int,
        receive: ([UInt8]) -> Bool
    ) throws(ClientError) {
        var call = self.call("GET", path, accept: "text/event-stream", headers)
        call.patience = patience
        var answer: [UInt8] = []
        let head: ReplyHead
        do throws(CallError) {
            head = try self.caller.perform(call) { head, bytes in
                if head.status == 200 { return receive(bytes) }
                answer += bytes
                return answer.count <= Self.answerLimit
            }
        } catch {
            throw self.error(error)
        }
        guard head.status == 200 else { throw .refused(Refusal(head, body: answer)) }
        guard head["content-type"]?.hasPrefix("text/event-stream") == true else { throw .nonsense(self.server) }
    }

    /// Waits for so many seconds.
    public func pause(seconds: Double) throws(ClientError) {
        do throws(CallError) { try self.caller.pause(seconds: seconds) } catch { throw self.error(error) }
    }

    private func call(
        _ method: String,
        _ path: String,
        accept: String,
        _ headers: [(name: String, value: String)]
    ) -> Call {
        var call = Call(method, self.server.appending(path), headers: [("Accept", accept), ("User-Agent", "toastd")])
        call.isDirect = self.server.isLocal
        if let token { call.headers.append(("Authorization", "Bearer \(token)")) }
        call.headers += headers
        return call
    }

    private func error(_ error: CallError) -> ClientError {
        switch error {
        case .unreachable(let reason): .unreachable(self.server, reason)
        case .cut(let reason): .cut(self.server, reason)
        case .interrupted: .interrupted
        }
    }
}
