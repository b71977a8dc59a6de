public import EventLoop
import Synchronization

/// Sends requests over a connection.
///
/// Any thread may call it. A receiver is called on a thread of the connection, or by the call that sends the request if
/// that fails. It must not block. A receiver is called for one answer at a time, until an error ends the request
/// or the receiver wants no more answers.
public final class NATSClient: Sleeper {
    /// What a receiver wants after an answer.
    public enum Reception: Sendable {
        /// The request is over.
        case done
        /// Another answer is to come.
        case more
    }

    /// Gets the answers to a request, in the order in which the server sent them.
    public typealias Receiver = @Sendable (Result<NATSMessage, NATSError>) -> Reception

    fileprivate struct Request {
        let receive: Receiver
        let subject: String
        let size: Int
        var deadline: Int64
        /// The epoch of the connection that it is sent on.
        ///
        /// Only the loss of that connection ends it.
        let epoch: Int
        /// Whether the receiver is being called; an error waits until it returns.
        var isReceiving = false
        var error: NATSError?
    }

    fileprivate struct State {
        var requests: [Int: Request] = [:]
        /// The bytes of all requests.
        var bytes = 0
        var nextRequest = 0
        var nextBatch = 0
        /// When requests that have timed out are looked for next.
        var nextSweep = Int64.max

        @discardableResult
        mutating func remove(at place: Dictionary<Int, Request>.Index) -> Request {
            let request = self.requests.remove(at: place).value
            self.bytes -= request.size
            return request
        }
    }

    /// The connection.
    public let connection: NATSConnection
    /// The client's number, by which answers find it.
    let id: Int
    /// What the subjects of answers to its requests begin with.
    let prefix: String
    private let state = Mutex(State())

    /// The shortest time between two sweeps for requests that have timed out, in nanoseconds.
    private static let sweepInterval: Int64 = 20_000_000

    init(_ connection: NATSConnection, id: Int) {
        self.connection = connection
        self.id = id
        self.prefix = "\(connection.inbox)\(id)."
    }

    /// How many requests are not over; one ends when its receiver has returned.
    public var pendingRequests: Int { self.state.withLock { $0.requests.count } }

    /// Sends a request; the receiver gets the answers, or why there are none.
    ///
    /// The reply subject of the message is set here. The last answer must come within `timeout`.
    public func request(_ message: NATSMessage, timeout: Duration, _ receive: @escaping Receiver) {
        self.request([message], timeout: timeout, isCheck: false, receive)
    }

    /// Sends a request, whose reply subject is set here, and waits for its one answer.
    ///
    /// - Throws: ``NATSError``; its `mayHaveHappened` says whether the request may have been carried out.
    public func request(_ message: NATSMessage, timeout: Duration) async throws(NATSError) -> NATSMessage {
        let result = await withCheckedContinuation { continuation in
            self.request(message, timeout: timeout) { result in
                continuation.resume(returning: result)
                return .done
            }
        }
        return try result.get()
    }

    /// Sends the messages of one request, one behind the other.
    ///
    /// The first one and the last one carry the reply subject. `isCheck` is true for the question for the server's
    /// version.
    func request(_ messages: consuming [NATSMessage], timeout: Duration, isCheck: Bool, _ receive: @escaping Receiver) {
        let size = messages.reduce(0) { $0 + $1.size }
        let options = self.connection.options
        let deadline = EventLoop.now + timeout.nanoseconds
        let epoch = self.connection.state.withLock { $0.epoch }
        let subject = messages.first?.subject ?? ""
        let (id, mustSchedule): (Int?, Bool) = self.state.withLock { state in
            guard state.requests.count < options.maximumRequests, state.bytes + size <= options.maximumBytes else {
                return (nil, false)
            }
            state.nextRequest += 1
            state.requests[state.nextRequest] = Request(
                receive: receive,
                subject: subject,
                size: size,
                deadline: deadline,
                epoch: epoch
            )
            state.bytes += size
            let isFirst = deadline < state.nextSweep
            if isFirst { state.nextSweep = deadline }
            return (state.nextRequest, isFirst)
        }
        guard let id else {
            // A request that exceeds the limit by itself would be refused each time.
            let isTooLarge = size > options.maximumBytes
            _ = receive(.failure(isTooLarge ? .tooLarge(limit: options.maximumBytes) : .overloaded))
            return
        }
        do throws(NATSError) {
            for index in messages.indices where index == 0 || index == messages.count - 1 {
                messages[index].reply = self.prefix + String(id)
            }
            // Throws if that connection was lost meanwhile. The loss may have ended this request already; then `end`
            // does nothing.
            try self.connection.send(messages, in: epoch, isCheck: isCheck) { self.end(id, with: $0) }
        } catch {
            self.end(id, with: error)
        }
        if mustSchedule { self.scheduleSweep(at: deadline) }
    }

    /// A number that no other batch of this client has.
    func nextBatch() -> Int {
        self.state.withLock { state in
            state.nextBatch += 1
            return state.nextBatch
        }
    }

    // MARK: Ends

    private func scheduleSweep(at deadline: Int64) {
        let worker = self.connection.worker
        worker.execute { _ = worker.schedule(at: deadline, self) }
    }

    /// The worker's call when a request may have timed out.
    public func wake(token: Int) {
        let now = EventLoop.now
        let (late, next): ([Int], Int64) = self.state.withLock { state in
            // An earlier sweep came in between, and has scheduled the next one.
            guard state.nextSweep <= now else { return ([], .max) }
            let late = state.requests.filter { $0.value.deadline <= now }.keys.sorted()
            let next = state.requests.values.lazy.map(\.deadline).filter { $0 > now }.min()
            state.nextSweep = next.map { max($0, now + Self.sweepInterval) } ?? .max
            return (late, state.nextSweep)
        }
        if next < .max { _ = self.connection.worker.schedule(at: next, self) }
        for id in late { self.end(id, with: .timeout) }
    }

    /// Ends the pending requests to some subjects after `timeout` at the latest.
    public func expireRequests(to subjects: Set<String>, after timeout: Duration) {
        let deadline = EventLoop.now + timeout.nanoseconds
        let mustSchedule = self.state.withLock { state in
            let underWay = state.requests.filter { subjects.contains($0.value.subject) && $0.value.deadline > deadline }
            for id in underWay.keys { state.requests[id]?.deadline = deadline }
            let isFirst = !underWay.isEmpty && deadline < state.nextSweep
            if isFirst { state.nextSweep = deadline }
            return isFirst
        }
        if mustSchedule { self.scheduleSweep(at: deadline) }
    }

    /// Ends all requests that were sent before an epoch.
    func fail(before epoch: Int) {
        let lost = self.state.withLock { state in
            state.requests.filter { $0.value.epoch < epoch }.keys.sorted()
        }
        for id in lost { self.end(id, with: .connectionLost) }
    }

    /// Ends a request with an error, unless it is over.
    private func end(_ id: Int, with error: NATSError) {
        let receive = self.state.withLock { state -> Receiver? in
            guard let place = state.requests.index(forKey: id) else { return nil }
            guard !state.requests.values[place].isReceiving else {
                state.requests.values[place].error = error
                return nil
            }
            return state.remove(at: place).receive
        }
        _ = receive?(.failure(error))
    }

    // MARK: Answers

    /// Takes an answer; the library's one thread calls it.
    func receive(_ message: NATSMessage, for id: Int) {
        if message.status == 503, message.body.isEmpty { return self.end(id, with: .noResponders) }
        let receive = self.state.withLock { state -> Receiver? in
            guard let place = state.requests.index(forKey: id) else { return nil }
            state.requests.values[place].isReceiving = true
            return state.requests.values[place].receive
        }
        guard let receive else { return }
        let reception = receive(.success(message))
        let error = self.state.withLock { state -> NATSError? in
            guard let place = state.requests.index(forKey: id) else { return nil }
            state.requests.values[place].isReceiving = false
            let error = state.requests.values[place].error
            if reception == .done || error != nil { state.remove(at: place) }
            return error
        }
        if reception == .more, let error { _ = receive(.failure(error)) }
    }
}
