@testable import ToastCore

extension FuzzTarget {
    static let records = [
        Self("event", checkEvent), Self("snapshot", checkSnapshot), Self("engine", checkEngine),
    ]
}

/// Where histories begin.
enum EngineScenario {
    static let start = Instant(nanoseconds: 1_800_000_000_000_000_000)
}

/// The engine that everything here happens to; `nil` never.
private let fresh = ChannelName(rawValue: "ops").flatMap { name in
    Epoch(rawValue: "k3f9a2zz").map { Engine(channel: name, epoch: $0) }
}

/// An event that is read from the store is written as it was meant, and an engine can take it.
private func checkEvent(_ bytes: [UInt8]) throws {
    guard var engine = fresh else { return }
    for line in bytes.lines.prefix(16) {
        guard let event = try valid({ () throws(ValidationError) in try Event(envelope: line) }) else { continue }
        let stored = event.stored(channel: engine.channel, epoch: engine.epoch)
        let again = try valid { () throws(ValidationError) in try Event(envelope: stored.envelope) }
        let spelling = again?.stored(channel: engine.channel, epoch: engine.epoch).envelope
        try promise(spelling == stored.envelope, "another event when it is written and read again")
        engine.fold(event)
    }
    try checkStanding(engine)
}

/// An engine that is restored from a state writes that state again, and lives.
private func checkSnapshot(_ bytes: [UInt8]) throws {
    guard let fresh else { return }
    func restored(_ state: [UInt8]) throws -> Engine? {
        try valid { () throws(ValidationError) in
            try Engine(channel: fresh.channel, epoch: fresh.epoch, restoring: state)
        }
    }
    guard let engine = try restored(bytes) else { return }
    let state = engine.snapshotState()
    try promise(try restored(state)?.snapshotState() == state, "another state when it is written and read again")
    try checkStanding(engine)
}

/// Whatever an engine was told, it can go on.
private func checkStanding(_ engine: Engine) throws {
    var engine = engine
    var writer = JSONWriter()
    engine.writeSnapshotFrame(to: &writer, at: EngineScenario.start, isReset: false)
    try promise((try? JSON(parsing: writer.bytes, depthLimit: 32)) != nil, "a snapshot that cannot be read")
    for command in [Command.audience(Audience(isAttached: true)), .clear, .audience(.none)] {
        _ = try? engine.apply(command, at: EngineScenario.start)
        _ = engine.tick(at: EngineScenario.start)
    }
    _ = engine.nextDeadline
}

/// Commands made from bytes: nothing traps, the events keep their promises, and folding them, or going on from a
/// snapshot, gives the same state as the engine.
private func checkEngine(_ bytes: [UInt8]) throws {
    guard let fresh else { return }
    var script = Script(bytes)
    var engine = fresh
    var events: [Event] = []
    var now = EngineScenario.start
    while let step = try script.next() {
        now = now + script.wait
        // What the channel's timer would have done in between.
        while let deadline = engine.nextDeadline, deadline < now {
            let due = max(deadline, events.last?.at ?? deadline)
            events += engine.tick(at: due)
            try promise(engine.nextDeadline.map { $0 > due } ?? true, "a deadline that stays, however often it passes")
        }
        let before = engine.queueLength
        do throws(EngineError) {
            events += try step.perform(on: &engine, at: now)
        } catch {
            if case .invalid(let error) = error { try checkIssues(error) }
        }
        // A smaller capacity removes no queued toasts, and a mode that keeps the newest keeps one for each lane.
        let most = max(before, engine.effective.capacity, engine.effective.lanes.count)
        try promise(engine.queueLength <= most, "a queue past its capacity")
        guard script.restarts else { continue }
        let audience = engine.audience
        engine = try Engine(channel: fresh.channel, epoch: fresh.epoch, restoring: engine.snapshotState())
        events += try engine.apply(.audience(audience), at: now)
    }
    if let fault = Promises.fault(of: events, in: engine) { throw BrokenPromise(description: fault) }
    var rebuilt = fresh
    for (index, event) in events.enumerated() {
        try promise(event.offset.rawValue == Int64(index + 1), "a gap before \(event.offset)")
        rebuilt.fold(try Event(envelope: event.stored(channel: fresh.channel, epoch: fresh.epoch).envelope))
    }
    try promise(rebuilt.snapshotState() == engine.snapshotState(), "a rebuilt channel is another one")
}
