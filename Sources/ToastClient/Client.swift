package import HTTPClient
package import ToastCore

/// Sends requests to a server, one after the other.
package struct Client: Sendable {
    package let server: ServerURL

    private let caller: BlockingClient
    private let token: String?

    /// The longest answer that is read, in bytes; longer than any of toastd's.
    private static let answerLimit = 16_777_216

    /// A client that sends a token, if it has one.
    package init(_ server: ServerURL, token: String?, caller: BlockingClient) {
        self.server = server
        self.token = token
        self.caller = caller
    }

    /// Sends a request, and reads the answer as JSON.
    ///
    /// `path` is escaped, and `patience` is the longest silence in seconds.
    package func ask(
        _ method: String,
        _ path: String,
        headers: [(name: String, value: String)] = [],
        body: JSON? = nil,
        patience: Int = 30
    ) throws(ClientError) -> JSON {
        var request = self.request(method, path, accept: "application/json", headers)
        request.body = body?.bytes
        if body != nil { request.headers.append(("Content-Type", "application/json")) }
        var answer: [UInt8] = []
        let head = try self.perform(request, patience) { _, bytes in
            answer += bytes
            return answer.count <= Self.answerLimit
        }
        guard (200..<300).contains(head.status) else { throw .refused(ErrorResponse(head, body: answer)) }
        do throws(JSONSyntaxError) { return try JSON(parsing: answer, depthLimit: 64, limitsMarks: false) } catch {
            throw .notToastd(self.server)
        }
    }

    /// Requests a stream, and passes its bytes on as they arrive.
    ///
    /// `receive` gets the next bytes, or an empty array about once a second, and returns whether to continue.
    package func stream(
        _ path: String,
        headers: [(name: String, value: String)],
        patience: Int,
        receive: ([UInt8]) -> Bool
    ) throws(ClientError) {
        let request = self.request("GET", path, accept: "text/event-stream", headers)
        var answer: [UInt8] = []
        let head = try self.perform(request, patience) { head, bytes in
            if head.status == 200 { return receive(bytes) }
            answer += bytes
            return answer.count <= Self.answerLimit
        }
        guard head.status == 200 else { throw .refused(ErrorResponse(head, body: answer)) }
        guard head["content-type"]?.hasPrefix("text/event-stream") == true else { throw .notToastd(self.server) }
    }

    package func pause(seconds: Double) throws(ClientError) {
        do throws(RequestError) { try self.caller.pause(seconds: seconds) } catch { throw self.error(error) }
    }

    private func perform(
        _ request: OutgoingRequest,
        _ patience: Int,
        receive: (ResponseHead, [UInt8]) -> Bool
    ) throws(ClientError) -> ResponseHead {
        do throws(RequestError) {
            return try self.caller.perform(
                request,
                idleTimeout: patience,
                bypassesProxy: self.server.isLocal,
                receive: receive
            )
        } catch {
            throw self.error(error)
        }
    }

    private func request(
        _ method: String,
        _ path: String,
        accept: String,
        _ headers: [(name: String, value: String)]
    ) -> OutgoingRequest {
        let general = [("Accept", accept), ("User-Agent", "toastd")]
        let credential = self.token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return OutgoingRequest(method, url: self.server.description + path, headers: general + credential + headers)
    }

    private func error(_ error: RequestError) -> ClientError {
        switch error {
        case .unreachable(let reason): .unreachable(self.server, reason)
        case .cut(let reason): .cut(self.server, reason)
        case .interrupted: .interrupted
        }
    }
}
