import Synchronization
import TestSupport
import ToastCore

@testable import ToastCluster

/// The network between the nodes of a test: it delays messages, and loses those that the test selects.
///
/// Messages from one node to another arrive in their order.
final class SimulatedNetwork: Sendable {
    /// How messages are delayed and lost.
    struct Weather: Sendable {
        /// The shortest and the longest time on the way.
        var delay = Interval(seconds: 0.001)...Interval(seconds: 0.02)
        /// The part of all messages that is lost; replies and requests are messages, too.
        var loss = 0.0
    }

    /// A message on its way.
    struct Envelope: Sendable {
        let sender: NodeID
        let receiver: NodeID
        let body: [UInt8]
        let isReply: Bool
    }

    private struct Subscriber {
        let number: Int
        let node: NodeID
        let handler: @Sendable ([UInt8], BusReply?) -> Void
    }

    private struct Link: Hashable {
        let from: NodeID
        let to: NodeID
    }

    private struct State {
        var subscribers: [BusAddress: [Subscriber]] = [:]
        var count = 0
        var random: SplitMix64
        var weather = Weather()
        var cut: Set<Link> = []
        var arrivals: [Link: Instant] = [:]
        var drop: @Sendable (Envelope) -> Bool = { _ in false }
    }

    let time: SimulatedTime
    private let state: Mutex<State>

    init(time: SimulatedTime, seed: UInt64) {
        self.time = time
        self.state = Mutex(State(random: SplitMix64(seed: seed)))
    }

    func change(_ weather: Weather) { self.state.withLock { $0.weather = weather } }

    /// Decides which messages are lost, from now on.
    func drop(_ decide: @escaping @Sendable (Envelope) -> Bool) { self.state.withLock { $0.drop = decide } }

    /// Cuts the ways between two nodes, or repairs them.
    func cut(_ one: NodeID, _ other: NodeID, _ isCut: Bool = true) {
        self.state.withLock { state in
            for link in [Link(from: one, to: other), Link(from: other, to: one)] {
                if isCut { state.cut.insert(link) } else { state.cut.remove(link) }
            }
        }
    }

    fileprivate func subscribe(
        _ address: BusAddress,
        _ node: NodeID,
        _ handler: @escaping @Sendable ([UInt8], BusReply?) -> Void
    ) -> BusCancellation {
        let number = self.state.withLock { state in
            state.count += 1
            let subscriber = Subscriber(number: state.count, node: node, handler: handler)
            state.subscribers[address, default: []].append(subscriber)
            return state.count
        }
        return { self.state.withLock { $0.subscribers[address]?.removeAll { $0.number == number } } }
    }

    /// Sends a message to all subscribers that its sender can reach; returns how many these are.
    fileprivate func send(
        _ body: [UInt8],
        from sender: NodeID,
        to address: BusAddress,
        reply: BusReply? = nil
    ) -> Int {
        let subscribers = self.state.withLock { state in
            state.subscribers[address, default: []].filter { subscriber in
                !state.cut.contains(Link(from: sender, to: subscriber.node))
            }
        }
        for subscriber in subscribers {
            let receiver = subscriber.node
            let answer = reply.map { reply -> BusReply in
                { body in
                    self.carry(Envelope(sender: receiver, receiver: sender, body: body, isReply: true)) { reply(body) }
                }
            }
            let envelope = Envelope(sender: sender, receiver: receiver, body: body, isReply: false)
            self.carry(envelope) { subscriber.handler(body, answer) }
        }
        return subscribers.count
    }

    private func carry(_ envelope: Envelope, _ arrive: @escaping @Sendable () -> Void) {
        let link = Link(from: envelope.sender, to: envelope.receiver)
        let now = self.time.now
        let arrival: Instant? = self.state.withLock { state in
            let isLost = Double.random(in: 0..<1, using: &state.random) < state.weather.loss
            guard !isLost, !state.cut.contains(link), !state.drop(envelope) else { return nil }
            let (low, high) = (state.weather.delay.lowerBound, state.weather.delay.upperBound)
            let delay = Int64.random(in: low.nanoseconds...high.nanoseconds, using: &state.random)
            let arrival = max(now + Interval(nanoseconds: delay), state.arrivals[link] ?? now)
            state.arrivals[link] = arrival
            return arrival
        }
        guard let arrival else { return }
        self.time.call(after: arrival - now, arrive)
    }
}

/// A node's connection to the network of a test.
final class SimulatedBus: Bus {
    let limit: MessageLimit
    private let node: NodeID
    private let network: SimulatedNetwork
    /// The requests under way.
    private let requests = Mutex<[BusAddress: [FirstAnswer]]>([:])

    init(node: NodeID, network: SimulatedNetwork, limit: MessageLimit = .standard) {
        self.node = node
        self.network = network
        self.limit = limit
    }

    func publish(_ body: [UInt8], to address: BusAddress) {
        _ = self.network.send(body, from: self.node, to: address)
    }

    func request(_ body: [UInt8], to address: BusAddress, timeout: Interval) async throws(BusError) -> [UInt8] {
        let result: Result<[UInt8], BusError> = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            self.requests.withLock { requests in
                requests[address, default: []].removeAll { $0.isGiven }
                requests[address, default: []].append(answer)
            }
            let count = self.network.send(body, from: self.node, to: address) { answer.give(.success($0)) }
            guard count > 0 else { return answer.give(.failure(.noResponders)) }
            self.network.time.call(after: timeout) { answer.give(.failure(.timeout)) }
        }
        return try result.get()
    }

    func expireRequests(to addresses: [BusAddress], after time: Interval) {
        let underWay = self.requests.withLock { requests in addresses.flatMap { requests[$0] ?? [] } }
        for answer in underWay { self.network.time.call(after: time) { answer.give(.failure(.timeout)) } }
    }

    func subscribe(
        _ address: BusAddress,
        _ handler: @escaping @Sendable ([UInt8], BusReply?) -> Void
    ) -> BusCancellation {
        self.network.subscribe(address, self.node, handler)
    }
}

/// Resumes a task with the first of several answers.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result<[UInt8], BusError>, Never>?>

    init(_ continuation: CheckedContinuation<Result<[UInt8], BusError>, Never>) {
        self.continuation = Mutex(continuation)
    }

    var isGiven: Bool { self.continuation.withLock { $0 == nil } }

    func give(_ result: Result<[UInt8], BusError>) {
        let continuation = self.continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: result)
    }
}

extension MessageLimit {
    /// The default of NATS, which holds for every cluster unless its operator chose less.
    static let standard = Self(bytes: 1_048_576)
}
