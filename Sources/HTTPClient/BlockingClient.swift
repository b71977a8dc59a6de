import Synchronization

/// The head of a response.
package struct ResponseHead: Sendable {
    package let status: Int

    /// Header fields in order, with names in lower case.
    package let headers: [(name: String, value: String)]

    /// The value of a field; nil when there is none.
    package subscript(name: String) -> String? { self.headers.first { $0.name == name }?.value }
}

/// Why a request has no response, or not all of it.
package enum RequestError: Error, Hashable, Sendable {
    /// Nothing was sent: no connection, or none that can be trusted. The text says why.
    case unreachable(String)

    /// The request was sent, and perhaps carried out; the response is missing or incomplete. The text says why.
    case cut(String)

    /// ``BlockingClient/interrupt()`` was called.
    case interrupted
}

/// Sends requests with libcurl, one at a time, and blocks the calling thread: for commands, which have nothing else to
/// do, and for fetches that have a thread of their own.
///
/// It follows no redirect, uses the proxy that the environment names, and trusts the certificates that the system
/// trusts.
package final class BlockingClient: Sendable {
    private let multi: MultiHandle
    private let isInterrupted = Atomic(false)

    /// How long a wait lasts at most, in milliseconds.
    private static let longestWait: CInt = 1000

    private static let timeouts = EasyHandle.Timeouts(connect: 10_000, total: 0)

    package init() throws(LibcurlError) {
        self.multi = try MultiHandle(connections: 2)
    }

    /// Sends a request, and passes the response on as it comes.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - idleTimeout: How many seconds may pass in which nothing comes.
    ///   - bypassesProxy: Whether a proxy of the environment is not used.
    ///   - receive: Gets the head and the next bytes of the body; also with none, about once a second. Nothing is read
    ///     from the connection meanwhile. It returns whether to go on.
    /// - Returns: The head of the response.
    /// - Throws: Why there is no response, or not all of it.
    @discardableResult
    package func perform(
        _ request: OutgoingRequest,
        idleTimeout: Int = 30,
        bypassesProxy: Bool = false,
        receive: (_ head: ResponseHead, _ bytes: [UInt8]) -> Bool
    ) throws(RequestError) -> ResponseHead {
        let transfer = Transfer(request)
        guard let handle = EasyHandle(transfer, on: self.multi, Self.timeouts, bypassesProxy: bypassesProxy) else {
            throw .unreachable("curl refused the request, perhaps because of its URL.")
        }
        var lastProgress = ContinuousClock.now
        var head: ResponseHead?
        while true {
            guard !self.isInterrupted.load(ordering: .acquiring) else { throw .interrupted }
            self.multi.perform()
            let end = self.multi.nextEnded()
            if head == nil, transfer.hasHead, handle.status >= 200 {
                head = ResponseHead(status: handle.status, headers: transfer.headers)
                lastProgress = .now
            }
            let bytes = transfer.takeBody()
            if !bytes.isEmpty { lastProgress = .now }
            if let head, !receive(head, bytes) { return head }
            if let end {
                if end.failure == nil, let head { return head }
                let reason = handle.reason.isEmpty ? end.failure ?? "No answer came." : handle.reason
                throw handle.wasSent ? .cut(reason) : .unreachable(reason)
            }
            guard ContinuousClock.now - lastProgress < .seconds(idleTimeout) else {
                throw handle.wasSent
                    ? .cut("The server sent nothing for \(idleTimeout) seconds.")
                    : .unreachable("The server did not answer for \(idleTimeout) seconds.")
            }
            self.multi.poll(milliseconds: Self.longestWait)
        }
    }

    package func pause(seconds: Double) throws(RequestError) {
        let end = ContinuousClock.now + .seconds(seconds)
        while !self.isInterrupted.load(ordering: .acquiring) {
            let left = end - .now
            guard left > .zero else { return }
            self.multi.poll(milliseconds: CInt(clamping: Int(min(left, .seconds(1)) / .milliseconds(1)) + 1))
        }
        throw .interrupted
    }

    /// Ends the current request or pause, and every later one, until ``resume()``; from any thread.
    package func interrupt() {
        self.isInterrupted.store(true, ordering: .releasing)
        self.multi.wake()
    }

    /// Makes requests possible again.
    package func resume() {
        self.isInterrupted.store(false, ordering: .releasing)
    }
}
