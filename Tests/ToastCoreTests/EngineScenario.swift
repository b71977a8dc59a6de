import TestSupport
import Testing
import ToastCore

/// A channel with a clock that the test sets; its toasts are named by their message.
///
/// Each step also checks that every event can be encoded and decoded, and that folding the decoded events, or restoring
/// a snapshot, gives the same state.
struct EngineScenario {
    var engine: Engine
    private var shadow: Engine
    private var names: [ToastID: String] = [:]
    private var generator = SplitMix64(seed: 7)

    /// One line for each event: seconds, type, toast, and other details.
    private(set) var timeline: [String] = []

    /// The events themselves.
    private(set) var events: [Event] = []

    static let start = Instant(nanoseconds: 1_800_000_000_000_000_000)
    static let epoch = Epoch(rawValue: "k3f9a2zz")

    init(_ mode: QueueMode = .fifo, isAttached: Bool = true, capacity: Int? = nil) throws {
        // `minimumVisible` has tests of its own.
        var settings: JSONObject = ["mode": .string(mode.rawValue), "minimumVisible": 0]
        settings["capacity"] = capacity.map { .integer(Int64($0)) }
        try self.init(settings, isAttached: isAttached)
    }

    init(_ settings: JSONObject, isAttached: Bool = true) throws {
        let channel = try #require(ChannelName(rawValue: "ops"))
        self.engine = Engine(channel: channel, epoch: try #require(Self.epoch))
        self.shadow = self.engine
        try self.apply(.configure(try Settings(json: .object(settings))), at: 0)
        if isAttached { try self.apply(.audience(Audience(isAttached: true)), at: 0) }
        self.timeline = []
    }

    /// The lines of the timeline with `presented` and `dismissed` events.
    var shown: [String] {
        self.timeline.filter { $0.contains(" presented ") || $0.contains(" dismissed ") }
    }

    /// The names of the toasts that came on screen, in order.
    var order: [String] {
        self.timeline.compactMap { line in
            line.contains(" presented ") ? line.split(separator: " ").dropFirst(2).first.map(String.init) : nil
        }
    }

    var queue: [String] { self.engine.queued.map { self.name($0.id) } }
    var screen: [String] { self.engine.presented.map { self.name($0.id) } }

    func screen(_ placement: Placement) -> [String] {
        self.engine.presented.filter { $0.placement == placement }.map { self.name($0.id) }
    }

    func id(_ name: String) throws -> ToastID {
        try #require(self.names.first { $0.value == name }?.key)
    }

    func toast(_ name: String) throws -> Toast {
        try #require(self.engine.toast(try self.id(name)))
    }

    func remaining(_ name: String, at seconds: Double) throws -> Double? {
        self.engine.remaining(of: try self.id(name), at: Self.start + Interval(seconds: seconds))?.seconds
    }

    /// Posts a toast, after ticks at all deadlines before.
    mutating func post(
        _ name: String,
        _ role: Role = .info,
        duration: JSON = 1,
        at seconds: Double,
        with members: JSONObject = [:]
    ) throws {
        try self.post([name], role, duration: duration, at: seconds, with: members)
    }

    /// Posts toasts in one command.
    mutating func post(
        _ names: [String],
        _ role: Role = .info,
        duration: JSON = 1,
        at seconds: Double,
        with members: JSONObject = [:]
    ) throws {
        var batch: [NewToast] = []
        for name in names {
            var object: JSONObject = ["message": .string(name), "role": .string(role.rawValue), "duration": duration]
            for (name, value) in members { object[name] = value }
            let id = ToastID(at: Self.start, using: &self.generator)
            self.names[id] = name
            batch.append(NewToast(id: id, draft: try ToastDraft(json: .object(object))))
        }
        try self.publish(batch, at: seconds)
    }

    /// Posts one toast, and returns the resulting toast.
    mutating func enqueue(_ name: String, _ members: JSONObject, at seconds: Double) throws -> Publication {
        let id = ToastID(at: Self.start, using: &self.generator)
        self.names[id] = name
        let new = NewToast(id: id, draft: try ToastDraft(json: .object(members)))
        return try self.publish([new], at: seconds)
    }

    /// Posts toasts, after ticks at all deadlines before.
    @discardableResult
    mutating func publish(_ toasts: [NewToast], at seconds: Double) throws -> Publication {
        try self.run(until: seconds)
        let publication = try self.engine.enqueue(toasts, at: Self.start + Interval(seconds: seconds))
        try self.check(publication.events)
        return publication
    }

    /// Lets time pass with a tick at every deadline.
    mutating func run(until seconds: Double) throws {
        let end = Self.start + Interval(seconds: seconds)
        while let deadline = self.engine.nextDeadline, deadline <= end {
            try self.check(self.engine.tick(at: deadline))
        }
    }

    /// Applies a command, after ticks at all deadlines before.
    mutating func apply(_ command: Command, at seconds: Double) throws {
        try self.run(until: seconds)
        try self.applyLate(command, at: seconds)
    }

    /// Applies a command, without any tick before.
    mutating func applyLate(_ command: Command, at seconds: Double) throws {
        try self.check(try self.engine.apply(command, at: Self.start + Interval(seconds: seconds)))
    }

    /// Ticks once, also when several deadlines have passed.
    mutating func tickLate(at seconds: Double) throws {
        try self.check(self.engine.tick(at: Self.start + Interval(seconds: seconds)))
    }

    /// Adds a line to the timeline.
    mutating func note(_ line: String, at seconds: Double) {
        self.timeline.append("\(self.plain(seconds)) \(line)")
    }

    /// Adds events to the timeline, and checks that they and the state survive being written and read.
    private mutating func check(_ events: [Event]) throws {
        for event in events {
            let read = try Event(
                envelope: event.stored(channel: self.engine.channel, epoch: self.engine.epoch).envelope
            )
            #expect(read == event)
            self.shadow.fold(read)
            self.timeline.append(self.line(event))
        }
        self.events += events
        #expect(Self.state(of: self.shadow) == Self.state(of: self.engine))
        let restored = try Engine(
            channel: self.engine.channel,
            epoch: self.engine.epoch,
            restoring: self.engine.snapshotState()
        )
        #expect(Self.state(of: restored) == Self.state(of: self.engine))
    }

    private static func state(of engine: Engine) -> String {
        String(decoding: engine.snapshotState(), as: UTF8.self)
    }

    private func name(_ id: ToastID) -> String { self.names[id] ?? "?" }

    private func line(_ event: Event) -> String {
        let about =
            switch event.kind {
            case .enqueued(let toast): self.name(toast.id)
            case .presented(let toast, let presentation):
                self.name(toast.id) + self.seconds(" for", presentation.remaining)
            case .updated(let toast, let update):
                ([self.name(toast.id), update.changed.joined(separator: ",")] + (update.moved ? ["moved"] : []))
                    .filter { !$0.isEmpty }.joined(separator: " ") + self.seconds(" for", update.remaining)
            case .acted(let id, let action, _): "\(self.name(id)) \(action)"
            case .dismissed(let id, let reason, _, let exit, _):
                "\(self.name(id)) \(reason)" + (exit > .zero ? self.seconds(" exit", exit) : "")
            case .held(let id, let holder, let remaining, _):
                "\(self.name(id)) \(holder)" + self.seconds(" for", remaining)
            case .released(let id, let holder, let remaining, let isHeld):
                "\(self.name(id)) \(holder)" + self.seconds(" for", remaining) + (isHeld ? " held" : "")
            case .configured(let settings): settings.effective.mode.rawValue
            }
        return "\(self.plain((event.at - Self.start).seconds)) \(event.type.rawValue) \(about)"
    }

    private func seconds(_ label: String, _ interval: Interval?) -> String {
        interval.map { "\(label) \(self.plain($0.seconds))" } ?? ""
    }

    private func plain(_ number: Double) -> String {
        String(decoding: JSON(floatLiteral: number).bytes, as: UTF8.self)
    }
}

extension Event {
    /// How its toast came on screen; `nil` unless it is `presented`.
    var presentation: Presentation? {
        if case .presented(_, let presentation) = self.kind { presentation } else { nil }
    }
}
