import TestSupport
import Testing
import ToastCore

/// Random histories, on the engine and on the reference model.
@Suite struct HistoryTests {
    /// Plays a history on an engine with ticks at every deadline; returns the difference to the model, if there is one.
    ///
    /// Half way through, the engine is restored from its own snapshot, which must not change later events.
    private func difference(_ history: History) throws -> String? {
        var model = ReferenceModel(rules: history.rules, capacity: history.capacity)
        var player = try Player(history)
        for (index, step) in history.steps.enumerated() {
            if index == history.steps.count / 2 {
                model.restart()
                try player.restart()
            }
            for _ in 0..<step.wait {
                model.pass()
                try player.pass()
            }
            let expected = model.perform(step.action)
            let outcome = try player.perform(step.action)
            guard outcome == expected else { return "\(step.action): \"\(outcome)\" instead of \"\(expected)\"" }
            let queue = player.engine.queued.compactMap { player.number($0.id) }
            let expectedQueue = (model.waiting + model.delayed).map(\.number)
            guard queue == expectedQueue else { return "queue \(queue) after \(step.action)" }
            let screen = player.engine.presented.compactMap { player.number($0.id) }
            guard screen == model.shown.map(\.number) else { return "screen \(screen) after \(step.action)" }
        }
        for _ in 0..<400 {
            model.pass()
            try player.pass()
        }
        if let index = zip(model.log, player.log).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            return "\"\(player.log[index])\" instead of \"\(model.log[index])\""
        }
        guard model.log.count == player.log.count else {
            return "\(player.log.count) events instead of \(model.log.count): \((player.log + model.log).suffix(3))"
        }
        return try player.rebuildingFault(crossesWire: history.crossesWire)
    }

    /// Plays a history on an engine without ticks between commands; returns the promise that it breaks, if it does.
    private func brokenPromise(_ history: History) throws -> String? {
        var player = try Player(history)
        for step in history.steps {
            player.sleep(step.wait)
            _ = try player.perform(step.action)
        }
        return try Promises.fault(of: player.events, in: player.engine)
            ?? player.rebuildingFault(crossesWire: history.crossesWire)
    }

    private func search(_ histories: Int, seed: UInt64, _ fault: (History) throws -> String?) throws {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<histories {
            let history = History.random(using: &generator)
            guard try fault(history) != nil else { continue }
            let smallest = history.shrunk { (try? fault($0)) != .some(nil) }
            Issue.record("\(try fault(smallest) ?? "")\n\(smallest)")
            return
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func theEngineDoesWhatTheModelDoes(seed: UInt64) throws {
        try self.search(1250, seed: seed, self.difference)
    }

    @Test(arguments: 5...8 as ClosedRange<UInt64>)
    func aLateEngineKeepsItsPromises(seed: UInt64) throws {
        try self.search(1250, seed: seed, self.brokenPromise)
    }
}
