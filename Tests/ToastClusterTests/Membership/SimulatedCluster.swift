import TestSupport
import ToastCore

@testable import ToastCluster

/// Some nodes and a log in simulated time; a seed decides which faults occur.
///
/// For ``trouble`` seconds nodes are stopped and go on, die, start, drain, and lose the right to own; links between
/// nodes and to the log are cut, also one way only; messages are lost, or take up to eight seconds. Then no more faults
/// occur.
struct SimulatedCluster {
    /// The assumptions of a run; a test can drop one of them.
    struct Rules {
        /// The rates of the nodes' clocks.
        var rates = 0.94...1.06
        /// Whether a silent node's pulse is read and closed in the log, or silence alone decides.
        var asksLog = true
        /// Whether nodes wait for the concession of the others.
        var waitsForConcessions = true
    }

    private struct Host {
        let node: NodeID
        let clock: (offset: Double, rate: Double)
        var state: SimulatedNode
        var isAlive = true
        var resumes = 0.0
        var claim: OwnershipClaim?
        var answered = PartitionSet()

        func local(_ time: Double) -> Instant {
            Instant(nanoseconds: 0) + Interval(seconds: 1000 + self.clock.offset + self.clock.rate * time)
        }
    }

    private enum Event {
        case tick(Int)
        case claim(from: Int, to: Int, OwnershipClaim)
        case question(Int, SimulatedLog.Operation, NodeID, stream: Int, SimulatedNode.Purpose)
        case answer(Int, SimulatedLog.Answer, stream: Int, SimulatedNode.Purpose)
        case allow(Int)
        case die(Int)
        case look(again: Bool)
        case fault
    }

    private static let trouble = 45.0
    private static let end = 75.0

    private let rules: Rules
    private var random: SplitMix64
    private var hosts: [Host] = []
    private var log = SimulatedLog(streams: SimulatedNode.streams)
    private var timeline = Timeline<Event>()
    private var time = 0.0
    /// Until when a link is cut; the log is host -1.
    private var cuts: [[Int]: Double] = [:]

    /// The moments at which two nodes would have answered for a partition.
    private(set) var overlaps: [String] = []
    /// How often a node has begun or ceased to answer for some partitions.
    private(set) var moves = 0

    init(seed: UInt64, rules: Rules = Rules()) {
        self.random = SplitMix64(seed: seed)
        self.rules = rules
        for _ in 0..<Int.random(in: 2...5, using: &self.random) { self.start() }
        self.timeline.add(.fault, at: 3)
        self.timeline.add(.look(again: true), at: 0)
    }

    /// The number of partitions for which some node answers.
    var answered: Int { self.hosts.reduce(0) { $0 + $1.answered.count } }

    /// The nodes that live.
    var alive: Int { self.hosts.count(where: \.isAlive) }

    mutating func run() {
        while let (time, event) = self.timeline.next(), time < Self.end {
            self.time = time
            self.handle(event)
        }
    }

    private mutating func start() {
        let offset = Double.random(in: -5...5, using: &self.random)
        let rate = Double.random(in: self.rules.rates, using: &self.random)
        let id = NodeID(using: &self.random)
        self.hosts.append(Host(node: id, clock: (offset, rate), state: SimulatedNode(id)))
        self.timeline.add(.tick(self.hosts.count - 1), at: self.time)
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .look(let again):
            self.look()
            if again { self.timeline.add(event, at: self.time + 0.05) }
        case .fault:
            guard self.time < Self.trouble else { return }
            self.causeFault()
            self.timeline.add(.fault, at: self.time + .random(in: 0...4, using: &self.random))
        case .question(let asker, let operation, let node, let stream, let purpose):
            let answer = self.log.perform(operation, on: node, stream: stream)
            self.deliver(.answer(asker, answer, stream: stream, purpose), [-1, asker])
        case .tick(let index), .claim(_, let index, _), .answer(let index, _, _, _), .allow(let index), .die(let index):
            guard self.hosts[index].isAlive else { return }
            guard self.hosts[index].resumes <= self.time else {
                return self.timeline.add(event, at: self.hosts[index].resumes)
            }
            self.step(index, event)
            self.look()
        }
    }

    private mutating func step(_ index: Int, _ event: Event) {
        let now = self.hosts[index].local(self.time)
        switch event {
        case .tick:
            self.carryOut(self.hosts[index].state.tick(at: now), of: index)
            self.timeline.add(event, at: self.time + 0.5 / self.hosts[index].clock.rate)
        case .claim(let sender, _, var claim):
            if !self.rules.waitsForConcessions {
                claim.concessions[self.hosts[index].node] = self.hosts[index].claim?.candidacy
            }
            self.carryOut(self.hosts[index].state.hear(self.hosts[sender].node, claim, at: now), of: index)
        case .answer(_, let answer, let stream, let purpose):
            self.carryOut(self.hosts[index].state.take(answer, stream: stream, purpose, at: now), of: index)
        case .allow:
            self.carryOut(self.hosts[index].state.allowOwning(true), of: index)
        case .die:
            self.hosts[index].isAlive = false
        case .question, .look, .fault:
            break
        }
    }

    private mutating func carryOut(_ effects: [SimulatedNode.Effect], of index: Int) {
        for effect in effects {
            switch effect {
            case .say(let claim):
                self.hosts[index].claim = claim
                for other in self.hosts.indices where other != index && self.hosts[other].isAlive {
                    self.deliver(.claim(from: index, to: other, claim), [index, other])
                }
            case .ask(let operation, _, let stream, .check(let check, let number)) where !self.rules.asksLog:
                var pulse = SimulatedLog.Pulse(sequence: 1, isOpen: true)
                if case .close = operation { pulse.isOpen = false }
                let answer = SimulatedLog.Answer.pulse(pulse, isWritten: true)
                let purpose = SimulatedNode.Purpose.check(check, number: number)
                self.timeline.add(.answer(index, answer, stream: stream, purpose), at: self.time)
            case .ask(let operation, let node, let stream, let purpose):
                self.deliver(.question(index, operation, node, stream: stream, purpose), [index, -1])
            }
        }
    }

    private mutating func deliver(_ event: Event, _ link: [Int]) {
        var delay = Double.random(in: 0.0002...0.02, using: &self.random)
        if self.time < Self.trouble {
            let luck = Int.random(in: 0..<1000, using: &self.random)
            guard luck >= 20, self.cuts[link] ?? 0 <= self.time else { return }
            if luck < 100 { delay = .random(in: 0...1, using: &self.random) }
            if luck < 30 { delay = .random(in: 1...8, using: &self.random) }
        }
        self.timeline.add(event, at: self.time + delay)
    }

    private mutating func causeFault() {
        let living = self.hosts.indices.filter { self.hosts[$0].isAlive }
        guard let index = living.randomElement(using: &self.random),
            let other = living.randomElement(using: &self.random)
        else { return self.start() }
        let seconds = Double.random(in: 0.2...12, using: &self.random)
        switch Int.random(in: 0..<10, using: &self.random) {
        case 0...1:
            self.hosts[index].resumes = max(self.hosts[index].resumes, self.time + seconds)
            // When it goes on, it answers before it reads messages that have arrived.
            self.timeline.add(.look(again: false), at: self.hosts[index].resumes)
        case 2...3:
            self.cuts[[index, other]] = self.time + seconds
            if Bool.random(using: &self.random) { self.cuts[[other, index]] = self.time + seconds }
        case 4:
            self.cuts[[index, -1]] = self.time + seconds
        case 5:
            self.cuts[[-1, index]] = self.time + seconds
        case 6:
            self.hosts[index].isAlive = false
        case 7 where living.count < 8:
            self.start()
        case 8 where self.hosts[index].resumes <= self.time:
            self.carryOut(self.hosts[index].state.allowOwning(false), of: index)
            self.timeline.add(.allow(index), at: self.time + seconds)
        case 9 where self.hosts[index].resumes <= self.time && living.count > 1:
            self.carryOut(self.hosts[index].state.leave(), of: index)
            self.timeline.add(.die(index), at: self.time + 0.5)
        default:
            guard index != other, self.hosts[index].resumes <= self.time else { return }
            self.hosts[index].state.noteUnreachable(self.hosts[other].node)
        }
    }

    /// Compares what all nodes would answer now.
    private mutating func look() {
        for index in self.hosts.indices {
            var answered = PartitionSet()
            if self.hosts[index].isAlive, self.hosts[index].resumes <= self.time {
                answered = self.hosts[index].state.answered(at: self.hosts[index].local(self.time))
            }
            if answered != self.hosts[index].answered { self.moves += 1 }
            self.hosts[index].answered = answered
            for other in 0..<index where !answered.intersection(self.hosts[other].answered).isEmpty {
                self.overlaps.append("\(self.time) s: \(other) and \(index)")
            }
        }
    }
}
