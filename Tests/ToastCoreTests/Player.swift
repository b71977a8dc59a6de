import Testing
import ToastCore

/// Plays a history on an engine.
struct Player {
    private(set) var engine: Engine
    private(set) var log: [String] = []
    private let fresh: Engine
    private var events: [Event] = []
    private var ids: [ToastID] = []
    private var now = Stage.start
    private var capacity: Int
    private var generator = SplitMix64(seed: 1)

    init(_ history: History) throws {
        let channel = try #require(ChannelName(rawValue: "ops"))
        self.fresh = Engine(channel: channel, epoch: try #require(Stage.epoch))
        self.engine = self.fresh
        self.capacity = history.capacity
        self.events = try self.engine.apply(.configure(try self.settings(history.mode)), at: self.now)
    }

    func number(_ id: ToastID) -> Int? { self.ids.firstIndex(of: id) }

    mutating func sleep(_ steps: Int) {
        self.now = self.now + Interval(seconds: Double(steps * ReferenceModel.step) / 1000)
    }

    mutating func pass() throws {
        self.sleep(1)
        guard let deadline = self.engine.nextDeadline, deadline <= self.now else { return }
        if deadline != self.now { self.log.append("a deadline between two steps") }
        self.collect(try self.engine.apply(.tick, at: self.now))
    }

    /// Goes on with an engine that was restored from a snapshot, and the audience of before.
    mutating func restart() throws {
        let audience = self.engine.audience
        let state = self.engine.snapshotState()
        self.engine = try Engine(channel: self.fresh.channel, epoch: self.fresh.epoch, restoring: state)
        self.collect(try self.engine.apply(.audience(audience), at: self.now))
    }

    /// Performs an action, and names the refusal, if any, as the model does.
    mutating func perform(_ action: History.Action) throws -> String {
        guard let command = try self.command(action) else { return "unknown" }
        do {
            self.collect(try self.engine.apply(command, at: self.now))
            return ""
        } catch {
            if case .post(let roles, _, _) = action { self.ids.removeLast(roles.count) }
            switch error {
            case .queueFull: return "full"
            case .toastNotPresented: return "not shown"
            case .toastDismissed: return "gone"
            default: return "\(error)"
            }
        }
    }

    /// What is wrong with a channel that is rebuilt from its events, or restored from a state in between.
    func rebuildingFault() throws -> String? {
        var rebuilt = self.fresh
        for (index, event) in self.events.enumerated() {
            guard event.offset.rawValue == Int64(index + 1) else { return "a gap before \(event.offset)" }
            let envelope = event.stored(channel: self.fresh.channel, epoch: self.fresh.epoch).envelope
            rebuilt.fold(try Event(envelope: envelope))
            guard index == self.events.count / 2 else { continue }
            let state = rebuilt.snapshotState()
            rebuilt = try Engine(channel: self.fresh.channel, epoch: self.fresh.epoch, restoring: state)
        }
        return rebuilt.snapshotState() == self.engine.snapshotState() ? nil : "a rebuilt channel is another one"
    }

    /// Which promise the events break: in order, nothing lost, nothing shown twice, one at a time, each gone once,
    /// and never shown for longer than its time.
    func promiseFault() -> String? {
        var states: [ToastID: ToastState] = [:]
        var last = Stage.start
        var shown: (id: ToastID, since: Instant)?
        for event in self.events {
            guard event.at >= last else { return "\(event.type) before its time" }
            last = event.at
            switch event.kind {
            case .enqueued(let toast):
                guard states.updateValue(.queued, forKey: toast.id) == nil else { return "enqueued twice" }
            case .presented(let toast, _):
                guard states.updateValue(.presented, forKey: toast.id) == .queued else { return "presented again" }
                guard shown == nil else { return "two on screen" }
                shown = (toast.id, event.at)
            case .dismissed(let id, _, _, let exit, _):
                guard let state = states.updateValue(.dismissed, forKey: id), state != .dismissed else {
                    return "gone twice"
                }
                guard (exit > .zero) == (state == .presented) else { return "an exit of \(exit) from \(state)" }
                if state == .presented { shown = nil }
            case .updated, .acted, .held, .released, .configured: break
            }
        }
        guard Set(states.keys) == Set(self.ids) else { return "lost or invented" }
        for (id, state) in states where self.engine.toast(id)?.state != state { return "\(id) is not \(state)" }
        return nil
    }

    private mutating func collect(_ events: [Event]) {
        self.events += events
        for event in events { self.log.append(self.line(event)) }
    }

    private func settings(_ mode: QueueMode) throws -> Settings {
        try Settings(json: ["mode": .string(mode.rawValue), "capacity": .integer(Int64(self.capacity))])
    }

    private mutating func command(_ action: History.Action) throws -> Command? {
        func seconds(_ steps: Int) -> JSON { JSON(floatLiteral: Double(steps * ReferenceModel.step) / 1000) }
        func id(_ number: Int) -> ToastID? { number < self.ids.count ? self.ids[number] : nil }
        switch action {
        case .post(let roles, let duration, let patience):
            var batch: [Command.NewToast] = []
            for role in roles {
                var object: JSONObject = ["message": "m", "role": .string(role.rawValue)]
                object["duration"] = duration.map(seconds) ?? "indefinite"
                object["actions"] = [["id": "ok", "title": "OK"]]
                object["expiresAfter"] = patience.map(seconds)
                let draft = try ToastDraft(json: .object(object))
                batch.append(Command.NewToast(id: ToastID(at: self.now, using: &self.generator), draft: draft))
            }
            self.ids += batch.map(\.id)
            return .enqueue(batch)
        case .dismiss(let number): return id(number).map { .dismiss($0, .swipe) }
        case .act(let number): return id(number).map { .act($0, action: "ok") }
        case .hold(let number, let holder, let lease):
            let lease = Interval(seconds: Double(lease * ReferenceModel.step) / 1000)
            return id(number).map { .hold($0, holder: holder, lease: lease) }
        case .release(let number, let holder): return id(number).map { .release($0, holder: holder) }
        case .update(let number, let role, let duration):
            var object: JSONObject = [:]
            object["role"] = role.map { .string($0.rawValue) }
            object["duration"] = duration.map(seconds)
            let patch = try ToastPatch(json: .object(object))
            return id(number).map { .update($0, patch, ifRevision: nil) }
        case .clear: return .clear
        case .mode(let mode): return .configure(try self.settings(mode))
        case .attach(let isAssistive): return .audience(Audience(isAttached: true, isAssistive: isAssistive))
        case .detach: return .audience(.none)
        }
    }

    private func line(_ event: Event) -> String {
        func name(_ id: ToastID) -> String { self.number(id).map(String.init) ?? "?" }
        let about =
            switch event.kind {
            case .enqueued(let toast), .presented(let toast, _), .updated(let toast, _): " " + name(toast.id)
            case .acted(let id, _, _): " " + name(id)
            case .dismissed(let id, let reason, _, _, _): " \(name(id)) \(reason)"
            case .held(let id, let holder, _, _), .released(let id, let holder, _, _): " \(name(id)) \(holder)"
            case .configured: ""
            }
        return "\((event.at - Stage.start).nanoseconds / 1_000_000) \(event.type)\(about)"
    }
}
