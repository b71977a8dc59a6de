import ToastCore

@testable import ToastCluster

/// A node as its surrounding code will run it: it carries out what ``Membership`` decides, over a log and a bus that
/// may lose and delay everything.
struct SimulatedNode {
    /// What a node does to the outside.
    enum Effect {
        case say(OwnershipClaim)
        case ask(SimulatedLog.Operation, of: NodeID, stream: Int, Purpose)
    }

    /// Why the log was asked; the answer has the same value.
    enum Purpose {
        case registration(attempt: Int)
        case pulse(sentAt: Instant)
        case check(SilenceCheck, number: Int)
        case farewell
    }

    static let streams = 2

    /// The partitions of each stream.
    private let shares = (0..<SimulatedNode.streams).map { stream in
        PartitionSet(Partition.all.filter { $0.index % SimulatedNode.streams == stream })
    }
    private(set) var membership: Membership
    private(set) var fence = ReadFence(streams: Self.streams)
    private var pulses = [UInt64](repeating: 0, count: Self.streams)
    private var isRunning = false
    private var attempt = 0
    private var attemptBegan: Instant?
    private var opened: Set<Int> = []
    private var listed: [Int: [NodeID]] = [:]
    private var lastPulse: Instant?
    private var checks: [Int: [Int: SimulatedLog.Pulse?]] = [:]
    private var checkCount = 0

    init(_ id: NodeID) {
        self.membership = Membership(node: id)
    }

    /// The partitions for which it answers reads.
    func answered(at now: Instant) -> PartitionSet {
        self.shares.enumerated().reduce(self.membership.owned) { owned, share in
            self.fence.mayAnswer(stream: share.offset, at: now) ? owned : owned.subtracting(share.element)
        }
    }

    /// Each half second.
    mutating func tick(at now: Instant) -> [Effect] {
        var effects = self.membership.advance(at: now).flatMap { self.ask($0) }
        if self.isRunning {
            effects.append(.say(self.membership.makeClaim()))
            if self.lastPulse.map({ now - $0 >= Interval(seconds: 0.99) }) ?? true {
                self.lastPulse = now
                effects += (0..<Self.streams).map {
                    Effect.ask(
                        .write(expected: self.pulses[$0]),
                        of: self.membership.node,
                        stream: $0,
                        .pulse(sentAt: now)
                    )
                }
            }
        } else if self.attemptBegan.map({ now - $0 >= Interval(seconds: 1) }) ?? true {
            effects += self.register(at: now)
        }
        return effects
    }

    mutating func hear(_ other: NodeID, _ claim: OwnershipClaim, at now: Instant) -> [Effect] {
        self.membership.hear(other, claim, at: now)
        return self.news()
    }

    mutating func allowOwning(_ isAllowed: Bool) -> [Effect] {
        self.membership.allowOwning(isAllowed)
        return self.news()
    }

    mutating func noteUnreachable(_ other: NodeID) {
        self.membership.noteUnreachable(other)
    }

    /// Gives up all partitions, and closes its own pulse.
    mutating func leave() -> [Effect] {
        let effects = self.allowOwning(false)
        self.membership.end()
        return effects
            + (0..<Self.streams).map {
                Effect.ask(.close(expected: self.pulses[$0]), of: self.membership.node, stream: $0, .farewell)
            }
    }

    mutating func take(
        _ answer: SimulatedLog.Answer,
        stream: Int,
        _ purpose: Purpose,
        at now: Instant
    ) -> [Effect] {
        switch (purpose, answer) {
        case (.registration(attempt: self.attempt), .open(let nodes)) where !self.isRunning:
            self.listed[stream] = nodes
            if self.listed.count == Self.streams {
                self.isRunning = self.membership.begin(besides: self.listed.values.joined(), at: now)
            }
        case (.registration(attempt: self.attempt), .pulse(let pulse, let isWritten)) where !self.isRunning:
            self.pulses[stream] = pulse?.sequence ?? 0
            guard isWritten else {
                return [.ask(.write(expected: self.pulses[stream]), of: self.membership.node, stream: stream, purpose)]
            }
            self.opened.insert(stream)
            guard self.opened.count == Self.streams else { return [] }
            return (0..<Self.streams).map { .ask(.list, of: self.membership.node, stream: $0, purpose) }
        case (.pulse(let sent), .pulse(let pulse?, let isWritten)) where self.isRunning:
            guard pulse.isOpen else {
                self.isRunning = false
                self.attemptBegan = nil
                self.membership.end()
                self.fence.shut()
                return self.news()
            }
            self.pulses[stream] = pulse.sequence
            if isWritten { self.fence.confirm(stream: stream, sentAt: sent) }
        case (.check(let check, let number), .pulse(let pulse, _)):
            self.finish(check, number, stream, pulse, at: now)
            return self.news()
        default:
            break
        }
        return []
    }

    private mutating func finish(
        _ check: SilenceCheck,
        _ number: Int,
        _ stream: Int,
        _ pulse: SimulatedLog.Pulse?,
        at now: Instant
    ) {
        self.checks[number, default: [:]][stream] = .some(pulse)
        guard let answers = self.checks[number], answers.count == Self.streams else { return }
        self.checks[number] = nil
        let sequences = (0..<Self.streams).map { stream -> UInt64 in
            guard let pulse = answers[stream] ?? nil, pulse.isOpen else { return 0 }
            return pulse.sequence
        }
        let isClosed = sequences.allSatisfy { $0 == 0 }
        self.membership.note(isClosed ? .closed : .open(sequences), of: check, at: now)
    }

    private mutating func register(at now: Instant) -> [Effect] {
        self.attempt += 1
        self.attemptBegan = now
        (self.opened, self.listed) = ([], [:])
        let purpose = Purpose.registration(attempt: self.attempt)
        return (0..<Self.streams).map { .ask(.read, of: self.membership.node, stream: $0, purpose) }
    }

    private mutating func ask(_ check: SilenceCheck) -> [Effect] {
        self.checkCount += 1
        return (0..<Self.streams).map { stream in
            let operation: SimulatedLog.Operation =
                switch check.question {
                case .read: .read
                case .close(let mark): .close(expected: mark[stream])
                }
            return .ask(operation, of: check.node, stream: stream, .check(check, number: self.checkCount))
        }
    }

    private mutating func news() -> [Effect] {
        self.isRunning && self.membership.hasNews ? [.say(self.membership.makeClaim())] : []
    }
}
