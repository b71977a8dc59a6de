@testable import ToastCore

/// Commands to a channel, three bytes or so each: few toasts, few names, short times, so that they meet.
struct Script {
    /// What is done with a channel at a time.
    enum Step {
        case publish([NewToast])
        case command(Command)
        case tick

        func perform(on engine: inout Engine, at now: Instant) throws(EngineError) -> [Event] {
            switch self {
            case .publish(let toasts): try engine.enqueue(toasts, at: now).events
            case .command(let command): try engine.apply(command, at: now)
            case .tick: engine.tick(at: now)
            }
        }
    }

    private var rest: ArraySlice<UInt8>
    private var ids: [ToastID] = []
    private var steps = 0

    /// How long nothing happens before the command.
    private(set) var wait = Interval.zero
    /// Whether the process is killed after the command.
    private(set) var restarts = false

    init(_ bytes: [UInt8]) {
        self.rest = bytes[...]
    }

    /// The next step; `nil` at the end.
    mutating func next() throws -> Step? {
        guard self.steps < 32, let kind = self.rest.popFirst() else { return nil }
        self.steps += 1
        // Steps of 50 ms, and now and then of hours.
        let pause = Int64(self.byte())
        self.wait = Interval(nanoseconds: pause > 250 ? pause * 60_000_000_000 : pause / 4 * 50_000_000)
        self.restarts = kind >> 5 == 7
        switch kind % 16 {
        case 0...5: return .publish(try (0...(kind >> 4) % 3).map { _ in try self.toast() })
        case 15: return .tick
        default: return .command(try self.command(kind % 16))
        }
    }

    private mutating func command(_ kind: UInt8) throws -> Command {
        switch kind {
        case 6: return .dismiss(self.id(), self.one(of: [.swipe, .close, .tap, .api]))
        case 7: return .act(self.id(), action: self.one(of: ["ok", "undo"]))
        case 8: return .hold(self.id(), holder: self.one(of: ["v", "w"]), lease: self.interval)
        case 9: return .release(self.id(), holder: self.one(of: ["v", "w"]))
        case 10, 11: return .update(self.id(), try ToastPatch(json: self.members()), ifRevision: nil)
        case 12:
            guard self.byte() >= 64 else { return .clear }
            return .dismissAll(ToastFilter(reuseIdentifier: self.one(of: ["a", "b"])))
        case 13: return .configure(try self.settings())
        default:
            let scale = Double(self.byte() % 4)
            return .audience(Audience(isAttached: self.byte() < 160, isAssistive: self.byte() < 64, scale: scale))
        }
    }

    private mutating func byte() -> UInt8 { self.rest.popFirst() ?? 0 }

    private mutating func one<Element>(of elements: [Element]) -> Element {
        elements[Int(self.byte()) % elements.count]
    }

    private var interval: Interval {
        mutating get { Interval(nanoseconds: Int64(self.byte()) * 200_000_000) }
    }

    private mutating func id() -> ToastID {
        let index = Int(self.byte()) % (self.ids.count + 1)
        return index < self.ids.count ? self.ids[index] : Self.id(numbered: 0)
    }

    private static func id(numbered number: Int) -> ToastID {
        var generator = Numbers(number: UInt64(number))
        return ToastID(at: EngineScenario.start, using: &generator)
    }

    private mutating func toast() throws -> NewToast {
        self.ids.append(Self.id(numbered: self.ids.count + 1))
        let draft = try ToastDraft(json: self.members())
        return NewToast(id: self.ids[self.ids.count - 1], draft: draft)
    }

    private static let durations: [JSON] = [0.05, 1, 2.5, "indefinite", "short"]
    private static let waits: [JSON] = [0.1, 1, 5]
    private static let progresses: [JSON] = [["value": 0], ["value": 1, "dismissAfter": 0.3]]

    /// Members of a toast.
    private mutating func members() -> JSON {
        let bits = self.byte()
        var object: JSONObject = ["message": .string("m\(self.byte() % 4)")]
        if bits & 1 != 0 { object["role"] = .string(self.one(of: Role.allCases).rawValue) }
        if bits & 2 != 0 { object["duration"] = self.one(of: Self.durations) }
        if bits & 4 != 0 { object["placement"] = .string(self.one(of: Placement.allCases).rawValue) }
        if bits & 8 != 0 { object["reuseIdentifier"] = .string(self.one(of: ["a", "b"])) }
        if bits & 16 != 0 { object["expiresAfter"] = self.one(of: Self.waits) }
        if bits & 32 != 0 { object["progress"] = self.one(of: Self.progresses) }
        if bits & 64 != 0 { object["requiresInteraction"] = true }
        if bits & 128 != 0 { object["actions"] = [["id": "ok", "title": "OK"]] }
        return .object(object)
    }

    private mutating func settings() throws -> Settings {
        var object: JSONObject = [
            "mode": .string(self.one(of: QueueMode.allCases).rawValue),
            "lanes": .string(self.one(of: Lanes.allCases).rawValue),
            "deduplication": .string(self.one(of: Deduplication.allCases).rawValue),
            "maxVisible": .integer(Int64(self.byte() % 4) + 1), "capacity": .integer(Int64(self.byte() % 8) + 1),
        ]
        if self.byte() < 64 { object["whenUnattended"] = "present" }
        return try Settings(json: .object(object))
    }
}

/// A generator of the one number that it has, so that an id is the same in each run.
private struct Numbers: RandomNumberGenerator {
    var number: UInt64

    mutating func next() -> UInt64 {
        self.number &*= 0x9E37_79B9_7F4A_7C15
        return self.number
    }
}
