import ToastCore

/// A script of actions and the steps of time between them.
struct History: CustomStringConvertible {
    enum Action {
        case post([Role], duration: Int?, patience: Int?)
        case dismiss(Int)
        case act(Int)
        case hold(Int, holder: String, lease: Int)
        case release(Int, holder: String)
        case update(Int, role: Role?, duration: Int?)
        case clear
        case mode(QueueMode)
        case attach(isAssistive: Bool)
        case detach
    }

    struct Step {
        let wait: Int
        let action: Action

        /// Steps that do a little less.
        var simpler: [Self] {
            var steps = self.wait > 0 ? [Self(wait: self.wait / 2, action: self.action)] : []
            if case .post(let roles, let duration, let patience) = self.action, roles.count > 1 {
                let fewer = Action.post(Array(roles.dropLast()), duration: duration, patience: patience)
                steps.append(Self(wait: self.wait, action: fewer))
            }
            return steps
        }
    }

    var mode: QueueMode
    var capacity: Int
    var steps: [Step]

    var description: String {
        "\(self.mode), capacity \(self.capacity)\n"
            + self.steps.map { "  after \($0.wait * ReferenceModel.step) ms: \($0.action)" }.joined(separator: "\n")
    }

    /// A history that shows what any of these shows, with as few steps and as little waiting as can be found by
    /// leaving one thing out at a time.
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

    static func random(using generator: inout SplitMix64) -> Self {
        var history = Self(
            mode: Self.anyMode(&generator),
            capacity: Int.random(in: 2...6, using: &generator),
            steps: []
        )
        history.steps.append(Step(wait: 0, action: .attach(isAssistive: false)))
        for _ in 0..<Int.random(in: 4...24, using: &generator) {
            let wait = max(0, Int.random(in: -10...40, using: &generator))
            history.steps.append(Step(wait: wait, action: .random(using: &generator)))
        }
        return history
    }

    fileprivate static func anyMode(_ generator: inout SplitMix64) -> QueueMode {
        [QueueMode.fifo, .priority, .replaceAll][Int.random(in: 0..<3, using: &generator)]
    }
}

extension History.Action {
    static func random(using generator: inout SplitMix64) -> Self {
        func number() -> Int { Int.random(in: 0..<8, using: &generator) }
        func role() -> Role { Role.allCases[Int.random(in: 0..<4, using: &generator)] }
        func holder() -> String { Bool.random(using: &generator) ? "v" : "w" }
        /// Durations of even steps, so that half as much again is a number of steps, too.
        func duration() -> Int? { number() == 0 ? nil : 2 * Int.random(in: 1...20, using: &generator) }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<8:
            let roles = (0..<[1, 1, 1, 2, 3][Int.random(in: 0..<5, using: &generator)]).map { _ in role() }
            let patience = number() < 2 ? Int.random(in: 1...40, using: &generator) : nil
            return .post(roles, duration: duration(), patience: patience)
        case 8, 9: return .dismiss(number())
        case 10, 11: return .act(number())
        case 12, 13:
            return .hold(number(), holder: holder(), lease: Int.random(in: 1...30, using: &generator))
        case 14: return .release(number(), holder: holder())
        case 15: return .update(number(), role: role(), duration: nil)
        case 16: return .update(number(), role: nil, duration: duration() ?? 4)
        case 17: return number() == 0 ? .clear : .mode(History.anyMode(&generator))
        case 18: return .attach(isAssistive: Bool.random(using: &generator))
        default: return .detach
        }
    }
}
