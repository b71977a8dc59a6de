import TestSupport
import Testing
import ToastCore

/// Plays a history on an engine.
struct Player {
    private(set) var engine: Engine
    private(set) var log: [String] = []
    private(set) var events: [Event] = []
    private let fresh: Engine
    private var ids: [ToastID] = []
    private var now = EngineScenario.start
    private let capacity: Int
    private var deadline: Instant?
    private var generator = SplitMix64(seed: 1)

    init(_ history: History) throws {
        let channel = try #require(ChannelName(rawValue: "ops"))
        self.fresh = Engine(channel: channel, epoch: try #require(EngineScenario.epoch))
        self.engine = self.fresh
        self.capacity = history.capacity
        self.events = try self.engine.apply(.configure(try self.settings(history.rules)), at: self.now)
    }

    func number(_ id: ToastID) -> Int? { self.ids.firstIndex(of: id) }

    mutating func sleep(_ steps: Int) {
        self.now = self.now + Interval(steps: steps)
    }

    mutating func pass() throws {
        self.sleep(1)
        guard let deadline = self.deadline, deadline <= self.now else { return }
        if deadline != self.now { self.log.append("a deadline between two steps") }
        self.collect(self.engine.tick(at: self.now))
    }

    /// Continues with an engine that is restored from a snapshot, and with the same audience.
    mutating func restart() throws {
        let audience = self.engine.audience
        let state = self.engine.snapshotState()
        self.engine = try Engine(channel: self.fresh.channel, epoch: self.fresh.epoch, restoring: state)
        self.collect(try self.engine.apply(.audience(audience), at: self.now))
    }

    /// Performs an action, and describes its outcome in the model's words.
    mutating func perform(_ action: History.Action) throws -> String {
        if case .post(let drafts) = action { return try self.post(drafts) }
        guard let command = try self.command(action) else { return "! unknown" }
        do {
            self.collect(try self.engine.apply(command, at: self.now))
            return ""
        } catch {
            return self.refusal(error)
        }
    }

    private mutating func post(_ drafts: [Draft]) throws -> String {
        let batch = try drafts.map { draft in
            NewToast(id: ToastID(at: self.now, using: &self.generator), draft: try draft.toast(at: self.now))
        }
        self.ids += batch.map(\.id)
        do {
            let admission = try self.engine.enqueue(batch, at: self.now)
            self.collect(admission.events)
            // A duplicate has the id of the toast that was there.
            return zip(admission.toasts, batch).map { toast, sent in
                "\(toast.id == sent.id ? "is" : "was") \(self.name(toast.id))"
            }.joined(separator: ", ")
        } catch {
            defer { self.ids.removeLast(batch.count) }
            return self.refusal(error)
        }
    }

    private func refusal(_ error: EngineError) -> String {
        switch error {
        case .queueFull, .batchTooLong: "! full"
        case .toastAlreadyPresented(let id): "! \(self.name(id)) is there"
        case .toastNotFound: "! unknown"
        case .toastNotPresented: "! not shown"
        case .toastDismissed: "! gone"
        default: "! \(error)"
        }
    }

    /// The fault of a channel that is rebuilt from its events (encoded and decoded, if `crossesWire`) and restored from
    /// a state in between; nil when there is none.
    func rebuildingFault(crossesWire: Bool) throws -> String? {
        var rebuilt = self.fresh
        for (index, event) in self.events.enumerated() {
            guard event.offset.rawValue == Int64(index + 1) else { return "a gap before \(event.offset)" }
            guard crossesWire else {
                rebuilt.fold(event)
                continue
            }
            let envelope = event.stored(channel: self.fresh.channel, epoch: self.fresh.epoch).envelope
            rebuilt.fold(try Event(envelope: envelope))
            guard index == self.events.count / 2 else { continue }
            let state = rebuilt.snapshotState()
            rebuilt = try Engine(channel: self.fresh.channel, epoch: self.fresh.epoch, restoring: state)
        }
        return rebuilt.snapshotState() == self.engine.snapshotState() ? nil : "a rebuilt channel is another one"
    }

    private mutating func collect(_ events: [Event]) {
        self.events += events
        for event in events { self.log.append(self.line(event)) }
        self.deadline = self.engine.nextDeadline
    }

    private func settings(_ rules: Rules) throws -> Settings {
        try Settings(json: [
            "mode": .string(rules.mode.rawValue), "lanes": .string(rules.lanes.rawValue),
            "deduplication": .string(rules.deduplication.rawValue), "maxVisible": .integer(Int64(rules.maxVisible)),
            "capacity": .integer(Int64(self.capacity)), "minimumVisible": JSON(steps: rules.minimum),
        ])
    }

    private func command(_ action: History.Action) throws -> Command? {
        func id(_ number: Int) -> ToastID? { number < self.ids.count ? self.ids[number] : nil }
        switch action {
        case .post: return nil
        case .dismiss(let number): return id(number).map { .dismiss($0, .swipe) }
        case .forget(let name): return .dismissAll(ToastFilter(reuseIdentifier: String(name)))
        case .act(let number): return id(number).map { .act($0, action: "ok") }
        case .hold(let number, let holder, let lease):
            return id(number).map { .hold($0, holder: holder, lease: Interval(steps: lease)) }
        case .release(let number, let holder): return id(number).map { .release($0, holder: holder) }
        case .update(let number, let change):
            let patch = try change.patch(at: self.now)
            return id(number).map { .update($0, patch, ifRevision: nil) }
        case .clear: return .clear
        case .configure(let rules): return .configure(try self.settings(rules))
        case .audience(let watchers):
            return .audience(
                Audience(
                    isAttached: watchers.isAttached,
                    isAssistive: watchers.isAssistive,
                    scale: Double(watchers.scale)
                )
            )
        }
    }

    private func name(_ id: ToastID) -> String { self.number(id).map(String.init) ?? "?" }

    private func line(_ event: Event) -> String {
        func left(_ remaining: Interval?) -> String {
            remaining.map { " for \($0.nanoseconds / 1_000_000)" } ?? ""
        }
        let about =
            switch event.kind {
            case .enqueued(let toast): " " + self.name(toast.id)
            case .presented(let toast, let presentation): " " + self.name(toast.id) + left(presentation.remaining)
            case .updated(let toast, let update):
                " \(self.name(toast.id))\(update.moved ? " moved" : "")\(left(update.remaining))"
            case .acted(let id, _, _): " " + self.name(id)
            case .dismissed(let id, let reason, _, _, _): " \(self.name(id)) \(reason)"
            case .held(let id, let holder, _, _), .released(let id, let holder, _, _): " \(self.name(id)) \(holder)"
            case .configured: ""
            }
        return "\((event.at - EngineScenario.start).nanoseconds / 1_000_000) \(event.type)\(about)"
    }
}

extension Draft {
    /// The draft as a publisher would send it.
    fileprivate func toast(at now: Instant) throws -> ToastDraft {
        var progress: JSONObject = ["value": 0]
        progress["dismissAfter"] = self.lastWord.map(JSON.init(steps:))
        var object: JSONObject = [
            "message": .string("m\(self.text)"), "role": .string(self.role.rawValue),
            "placement": .string(self.placement.rawValue), "requiresInteraction": .bool(self.insists),
            "duration": self.duration.map(JSON.init(steps:)) ?? "indefinite", "progress": .object(progress),
            "actions": [["id": "ok", "title": "OK"]],
        ]
        if self.isTitled { object["title"] = "T" }
        object["reuseIdentifier"] = self.name.map { .string(String($0)) }
        object["expiresAfter"] = self.patience.map(JSON.init(steps:))
        object["notBefore"] = self.delay.map { JSON(writing: now + Interval(steps: $0)) }
        return try ToastDraft(json: .object(object))
    }
}

extension History.Change {
    fileprivate func patch(at now: Instant) throws -> ToastPatch {
        var object: JSONObject = [:]
        object["role"] = self.role.map { .string($0.rawValue) }
        object["duration"] = self.duration.map(JSON.init(steps:))
        object["placement"] = self.placement.map { .string($0.rawValue) }
        object["message"] = self.text.map { .string("m\($0)") }
        object["requiresInteraction"] = self.insists.map { .bool($0) }
        // Neither a time that has passed nor null is a delay.
        if let delay = self.delay {
            object["notBefore"] = delay == 0 ? .null : JSON(writing: now + Interval(steps: delay))
        }
        if let isComplete = self.isComplete { object["progress"] = ["value": isComplete ? 1 : 0] }
        return try ToastPatch(json: .object(object))
    }
}

extension Interval {
    fileprivate init(steps: Int) { self = Interval(seconds: Double(steps * ReferenceModel.step) / 1000) }
}

extension JSON {
    fileprivate init(steps: Int) { self = JSON(floatLiteral: Double(steps * ReferenceModel.step) / 1000) }
}
