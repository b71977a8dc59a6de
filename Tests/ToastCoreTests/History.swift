import TestSupport
import ToastCore

/// The settings of a channel in a history.
struct Rules: Equatable {
    var mode = QueueMode.fifo
    var lanes = Lanes.shared
    var deduplication = Deduplication.none
    var maxVisible = 2
    /// The least time that a toast stays, in steps.
    var minimum = 0
}

/// A toast that a publisher sends; times are in steps of the reference model.
struct Draft {
    var role = Role.info
    var text = 0
    var isTitled = false
    var name: Int?
    var placement = Placement.top
    var duration: Int?
    var patience: Int?
    /// How long the toast stays once its progress is complete; nil for a toast without progress.
    var lastWord: Int?
    var insists = false
    /// How long the toast stays out of the queue.
    var delay: Int?
}

/// A script of actions and the steps of time between them.
struct History: CustomStringConvertible {
    enum Action {
        case post([Draft])
        case dismiss(Int)
        case forget(name: Int)
        case act(Int)
        case hold(Int, holder: String, lease: Int)
        case release(Int, holder: String)
        case update(Int, Change)
        case clear
        case configure(Rules)
        case audience(Watchers)
    }

    /// A patch; nil leaves a member as it is.
    struct Change {
        var role: Role?
        var duration: Int?
        var placement: Placement?
        var text: Int?
        var isComplete: Bool?
        var insists: Bool?
        /// How long the toast stays out of the queue from now on; zero ends its delay.
        var delay: Int?
    }

    struct Watchers {
        var isAttached = true
        var isAssistive = false
        var scale = 1
    }

    struct Step {
        let wait: Int
        let action: Action

        /// Simpler variants of the step, for shrinking.
        var simpler: [Self] {
            var steps = self.wait > 0 ? [Self(wait: self.wait / 2, action: self.action)] : []
            guard case .post(let drafts) = self.action else { return steps }
            let plain = drafts.map { Draft(name: $0.name, placement: $0.placement, duration: $0.duration) }
            for fewer in [Array(drafts.dropLast()), plain] where !fewer.isEmpty && "\(fewer)" != "\(drafts)" {
                steps.append(Self(wait: self.wait, action: .post(fewer)))
            }
            return steps
        }
    }

    var rules: Rules
    var capacity: Int
    /// Whether the channel is rebuilt from encoded events, which takes most of a test's time.
    let crossesWire: Bool
    var steps: [Step]

    var description: String {
        "\(self.rules), capacity \(self.capacity)\n"
            + self.steps.map { "  after \($0.wait * ReferenceModel.step) ms: \($0.action)" }.joined(separator: "\n")
    }

    /// A smaller history that still fails: steps and waits are left out one at a time, as long as it does.
    func shrunk(while fails: (Self) -> Bool) -> Self {
        var smallest = self
        var index = 0
        while index < smallest.steps.count {
            let simpler = [nil] + smallest.steps[index].simpler
            let candidates = simpler.map { step in
                var history = smallest
                history.steps.replaceSubrange(index...index, with: step.map { [$0] } ?? [])
                return history
            }
            if let smaller = candidates.first(where: fails) {
                (smallest, index) = (smaller, 0)
            } else {
                index += 1
            }
        }
        return smallest
    }
}

extension History {
    static func random(using generator: inout SplitMix64) -> Self {
        var history = Self(
            rules: .random(using: &generator),
            capacity: generator.number(2...6),
            crossesWire: generator.oneIn(4),
            steps: []
        )
        history.steps.append(Step(wait: 0, action: .audience(Watchers())))
        for _ in 0..<generator.number(4...24) {
            let wait = max(0, generator.number(-10...40))
            history.steps.append(Step(wait: wait, action: .random(using: &generator)))
        }
        return history
    }
}

extension Rules {
    static func random(using generator: inout SplitMix64) -> Self {
        Self(
            mode: generator.one(of: QueueMode.allCases),
            lanes: generator.one(of: [.shared, .shared, .placement]),
            deduplication: generator.one(of: Deduplication.allCases),
            maxVisible: generator.number(1...4),
            minimum: generator.one(of: [0, 0, 6, 10])
        )
    }
}

extension Draft {
    static func random(using generator: inout SplitMix64) -> Self {
        Self(
            role: generator.one(of: Role.allCases),
            text: generator.number(0...4),
            isTitled: generator.oneIn(2),
            name: generator.oneIn(3) ? generator.number(0...2) : nil,
            placement: generator.one(of: Placement.allCases),
            duration: generator.duration(),
            patience: generator.oneIn(4) ? generator.number(1...40) : nil,
            lastWord: generator.oneIn(4) ? 2 * generator.number(1...6) : nil,
            insists: generator.oneIn(6),
            delay: generator.oneIn(8) ? generator.number(1...30) : nil
        )
    }
}

extension History.Action {
    static func random(using generator: inout SplitMix64) -> Self {
        let number = generator.number(0...7)
        let holder = generator.one(of: ["v", "w"])
        switch generator.number(0...23) {
        case 0...8:
            let count = generator.one(of: [1, 1, 1, 2, 3])
            return .post((0..<count).map { _ in .random(using: &generator) })
        case 9, 10: return .dismiss(number)
        case 11: return .act(number)
        case 12, 13: return .hold(number, holder: holder, lease: generator.number(1...30))
        case 14: return .release(number, holder: holder)
        case 15: return .update(number, History.Change(role: generator.one(of: Role.allCases)))
        case 16: return .update(number, History.Change(duration: generator.duration() ?? 4))
        case 17:
            let placement = generator.one(of: Placement.allCases)
            return .update(number, History.Change(placement: placement, text: generator.number(0...4)))
        case 18: return .update(number, History.Change(isComplete: generator.oneIn(2)))
        case 19: return number == 0 ? .clear : .configure(.random(using: &generator))
        case 20: return number < 3 ? .forget(name: number) : .audience(History.Watchers(isAttached: number == 3))
        case 21: return .update(number, History.Change(insists: generator.oneIn(2)))
        case 22: return .update(number, History.Change(delay: generator.oneIn(2) ? 0 : generator.number(1...30)))
        default:
            let watchers = History.Watchers(isAssistive: generator.oneIn(2), scale: generator.one(of: [1, 1, 2, 3]))
            return .audience(watchers)
        }
    }
}

extension SplitMix64 {
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func oneIn(_ count: Int) -> Bool { self.number(1...count) == 1 }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[self.number(0...elements.count - 1)] }

    /// A duration of even steps, so that half as much again is a number of steps, too; nil for an indefinite one.
    mutating func duration() -> Int? { self.oneIn(8) ? nil : 2 * self.number(1...20) }
}
