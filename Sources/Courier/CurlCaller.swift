import Synchronization

/// Makes calls with libcurl, one at a time, on the thread that asks: for commands, which have nothing else to do, and for
/// fetches that have a thread of their own.
///
/// It follows no redirect, goes where its user said, by the proxy that the environment names, and trusts the
/// certificates that the system trusts.
public final class CurlCaller: Sendable {
    private let multi: MultiHandle
    private let isInterrupted = Atomic(false)

    /// How long a turn waits at most, in milliseconds.
    private static let turn: CInt = 1000

    /// A caller; `nil` when libcurl cannot begin, for lack of memory.
    public init?() {
        guard let multi = MultiHandle(connections: 2) else { return nil }
        self.multi = multi
        SystemCalls.ignoreBrokenPipes()
    }

    /// Makes a call, and hands on what comes as it comes.
    ///
    /// - Parameters:
    ///   - call: What to ask.
    ///   - receive: Gets the head and the next bytes of the body; also with none, about once a second. Nothing is read
    ///     from the connection meanwhile. It returns whether to go on.
    /// - Returns: The head of the answer.
    /// - Throws: Why there is no answer, or not all of it.
    @discardableResult
    public func perform(
        _ call: Call,
        receive: (_ head: ReplyHead, _ bytes: [UInt8]) -> Bool
    ) throws(CallError) -> ReplyHead {
        let exchange = Exchange()
        guard let handle = CallHandle(for: call, into: exchange), handle.enter(self.multi) else {
            throw .unreachable("The request makes no sense to curl.")
        }
        defer { handle.leave(self.multi) }
        var lastSign = ContinuousClock.now
        var head: ReplyHead?
        while true {
            guard !self.isInterrupted.load(ordering: .acquiring) else { throw .interrupted }
            self.multi.perform()
            let end = self.multi.nextEnded()
            if head == nil, exchange.hasHead, handle.status >= 200 {
                head = ReplyHead(status: handle.status, headers: exchange.headers)
                lastSign = .now
            }
            let bytes = exchange.take()
            if !bytes.isEmpty { lastSign = .now }
            if let head, !receive(head, bytes) { return head }
            if let end {
                if end.failure == nil, let head { return head }
                let reason = handle.reason.isEmpty ? end.failure ?? "No answer came." : handle.reason
                throw handle.wasSent ? .cut(reason) : .unreachable(reason)
            }
            guard ContinuousClock.now - lastSign < .seconds(call.patience) else {
                throw handle.wasSent
                    ? .cut("Nothing came for \(call.patience) seconds.") : .unreachable("Nobody answered.")
            }
            self.multi.poll(milliseconds: Self.turn)
        }
    }

    /// Waits for so many seconds.
    public func pause(seconds: Double) throws(CallError) {
        let end = ContinuousClock.now + .seconds(seconds)
        while !self.isInterrupted.load(ordering: .acquiring) {
            let left = end - .now
            guard left > .zero else { return }
            self.multi.poll(milliseconds: CInt(clamping: Int(min(left, .seconds(1)) / .milliseconds(1)) + 1))
        }
        throw .interrupted
    }

    /// Ends the call or the pause that is under way, and every later one, until ``resume()``; from any thread.
    public func interrupt() {
        self.isInterrupted.store(true, ordering: .releasing)
        self.multi.wake()
    }

    /// Makes calls possible again.
    public func resume() {
        self.isInterrupted.store(false, ordering: .releasing)
    }
}
