import EventLoop
package import Logging
package import Metrics
package import MicroHTTP
import Synchronization
package import ToastHub

/// Metrics and log of a running server.
package final class Telemetry: Sendable {
    /// The metrics of each loop.
    package let loops: [LoopMeter]

    /// The metrics of the store, and of the node of a cluster.
    let meters: [any MetricsCollector]

    let version: String
    let sink: LogSink
    private let level: Logger.Level

    let isLoggingAccess: Bool

    /// Times that the wall clock jumped; counted by the watchdog's thread.
    let clockJumps = Counter()

    package init(
        loops: Int,
        version: String,
        sink: LogSink,
        level: Logger.Level = .info,
        logsAccess: Bool = true,
        meters: [any MetricsCollector] = []
    ) {
        self.loops = (0..<loops).map { _ in LoopMeter() }
        self.version = version
        self.sink = sink
        self.level = level
        self.isLoggingAccess = logsAccess && level <= .info
        self.meters = meters
    }

    func logAccess(_ message: String, at moment: Int64, _ fields: [(name: String, value: LogLine.Value)]) {
        self.sink.write(LogLine(moment: moment, level: .info, logger: "access", message: message, fields: fields))
    }

    /// Writes the line of a stream that has ended.
    package func log(_ record: StreamRecord) {
        guard self.isLoggingAccess else { return }
        self.logAccess(
            "stream closed",
            at: EventLoop.now,
            [
                ("request", .text(record.requestID)), ("caller", .text(record.caller)),
                ("transport", .text(record.transport?.rawValue ?? "wait")), ("reason", .text(record.end.label)),
                ("frames", .number(record.frames)), ("bytes", .number(record.bytes)),
                ("duration", .nanoseconds(record.duration)),
            ]
        )
    }

    /// Writes a line about a request that was carried out only in part.
    package func note(_ message: String, _ fields: KeyValuePairs<String, String>) {
        guard self.level <= .info else { return }
        let fields = fields.map { ($0.key, LogLine.Value.text($0.value)) }
        self.sink.write(LogLine(level: .info, logger: "message", message: message, fields: fields))
    }

    /// Writes a line about something that failed, and that a person may have to mend.
    func report(_ fault: String, _ fields: KeyValuePairs<String, String>) {
        guard self.level <= .error else { return }
        let fields = fields.map { ($0.key, LogLine.Value.text($0.value)) }
        self.sink.write(LogLine(level: .error, logger: "toastd", message: fault, fields: fields))
    }

    /// Writes a line of the audit log: an administrative change, or a refused caller.
    package func audit(_ action: String, _ fields: KeyValuePairs<String, String?>) {
        guard self.level <= .notice else { return }
        let fields = fields.compactMap { name, text in text.map { (name, LogLine.Value.text($0)) } }
        self.sink.write(LogLine(level: .notice, logger: "audit", message: action, fields: fields))
    }
}

/// The metrics of one loop, written by that loop alone unless a member says otherwise.
package final class LoopMeter: Sendable {
    /// Connections that are no streams.
    package let connections = ConnectionMeter()

    let requestIDs = RequestIDs()

    /// Responses with a problem, by the index of its type.
    let problems = CounterArray()

    /// How late the loop ran jobs that were given to it, in nanoseconds.
    let lag = Histogram(.latency)

    /// How long the turns of the loop took, in nanoseconds: from the end of one wait to the beginning of the next.
    let turns = Histogram(.turn)

    /// The longest turn since the start, in nanoseconds.
    let longestTurn = Counter()

    /// Times that a turn of the loop took too long; counted by the watchdog.
    let stalls = Counter()

    /// When the watchdog sent its last heartbeat, and the last one that the loop answered, in nanoseconds of the
    /// monotonic clock.
    let sent = Atomic<Int64>(0)
    let answered = Atomic<Int64>(0)

    private let list = Mutex<[RouteMeter]>([])

    var routes: [RouteMeter] { self.list.withLock { $0 } }

    func count(_ problem: ProblemType) {
        guard let place = ProblemType.allCases.firstIndex(of: problem) else { return }
        self.problems.add(place)
    }

    func route(_ method: String, _ route: String, audit: String? = nil) -> RouteMeter {
        let meter = RouteMeter(method: method, route: route, audit: audit)
        self.list.withLock { $0.append(meter) }
        return meter
    }

    /// How long the loop has been stuck in a turn, in nanoseconds; zero while it is not.
    func stall(at now: Int64) -> Int64 {
        let sent = self.sent.load(ordering: .acquiring)
        guard sent > self.answered.load(ordering: .acquiring), now - sent > Watchdog.limit else { return 0 }
        return now - sent
    }
}

/// The requests of one route on one loop.
final class RouteMeter: Sendable {
    let method: String
    let route: String

    /// The action that the audit log names after a success; `nil` when successes are not audited.
    let audit: String?

    /// The durations of responses with a status of 2xx, which most have, in nanoseconds.
    private let successes = Histogram(.latency)
    /// Those of the others, by the first digit of their status, 1 to 5; each is made with its first response.
    private let durations = InlineArray<5, AtomicLazyReference<Histogram>> { _ in AtomicLazyReference() }

    init(method: String, route: String, audit: String?) {
        self.method = method
        self.route = route
        self.audit = audit
    }

    func observe(_ status: Int, nanoseconds: Int64) {
        guard status / 100 != 2 else { return self.successes.observe(Int(nanoseconds)) }
        let index = min(max(status / 100, 1), 5) - 1
        let histogram = self.durations[index].load() ?? self.durations[index].storeIfNil(Histogram(.latency))
        histogram.observe(Int(nanoseconds))
    }

    /// The durations of responses whose status begins with a digit; `nil` or empty when there was none.
    func durations(_ digit: Int) -> Histogram? { digit == 2 ? self.successes : self.durations[digit - 1].load() }
}

/// The meters of requests without a route, by method.
struct RouteMeters: Sendable {
    private let meters: [Method: RouteMeter]
    private let other: RouteMeter

    init(_ route: String, on loop: LoopMeter) {
        self.meters = Dictionary(
            uniqueKeysWithValues: Method.allCases.map { ($0, loop.route($0.rawValue, route)) }
        )
        // Unknown methods share one label: their number has no bound.
        self.other = loop.route("other", route)
    }

    func meter(of method: Method?) -> RouteMeter { method.flatMap { self.meters[$0] } ?? self.other }
}
