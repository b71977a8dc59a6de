import EventLoop
public import Logging
public import Measures
public import MicroHTTP
import Synchronization
public import ToastHub

/// What a running server tells of itself: numbers for `/metrics`, and lines for the log.
public final class Telemetry: Sendable {
    /// What each loop tells.
    public let loops: [LoopMeter]

    /// What the store tells, if it has something to tell.
    let commits: CommitMeter?

    let version: String
    let sink: LogSink
    private let level: Logger.Level

    /// Whether requests get lines.
    let isLoggingAccess: Bool

    /// Times that the wall clock jumped; counted by the watchdog's thread.
    let clockJumps = Counter()

    /// Telemetry of a server.
    ///
    /// - Parameters:
    ///   - loops: How many loops there are.
    ///   - version: The version of the program.
    ///   - sink: Where lines go.
    ///   - level: What is worth a line.
    ///   - logsAccess: Whether each request gets a line.
    ///   - commits: What the store tells.
    public init(
        loops: Int,
        version: String,
        sink: LogSink,
        level: Logger.Level = .info,
        logsAccess: Bool = true,
        commits: CommitMeter? = nil
    ) {
        self.loops = (0..<loops).map { _ in LoopMeter() }
        self.version = version
        self.sink = sink
        self.level = level
        self.isLoggingAccess = logsAccess && level <= .info
        self.commits = commits
    }

    func log(_ line: AccessLine) {
        self.sink.write(line)
    }

    /// Tells of a stream that has ended.
    public func log(_ record: StreamRecord) {
        guard self.isLoggingAccess else { return }
        self.sink.write(StreamLine(moment: EventLoop.now, record: record))
    }

    /// Tells who did something that matters later: to rights, to settings, to what others see.
    public func audit(_ action: String, _ fields: KeyValuePairs<String, String?>) {
        guard self.level <= .notice else { return }
        let fields = fields.compactMap { field in field.value.map { (field.key, $0) } }
        self.sink.write(
            LoggedLine(moment: EventLoop.now, level: .notice, logger: "audit", message: action, fields: fields)
        )
    }
}

/// What one loop tells, written by that loop alone unless it says otherwise.
public final class LoopMeter: Sendable {
    /// Connections that are no streams.
    public let connections = ConnectionMeter()

    /// Names for requests.
    let names = RequestNames()

    /// Answers with a problem, by the place of its type.
    let problems = CounterArray()

    /// How late the loop came to what was there for it, in nanoseconds.
    let lag = Histogram(.latency)

    /// How long the turns of the loop took, in nanoseconds: from the end of one wait to the beginning of the next.
    let turns = Histogram(.turn)

    /// The longest of them since the start.
    let longestTurn = Counter()

    /// Times that the loop did not come back for too long; counted by the watchdog.
    let stalls = Counter()

    /// The beat that the watchdog last sent, and the one that the loop last answered: moments of the monotonic clock.
    let sent = Atomic<Int64>(0)
    let answered = Atomic<Int64>(0)

    private let list = Mutex<[RouteMeter]>([])

    /// The routes that requests may take.
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

    /// How long the loop has not come back, in nanoseconds; zero while it does.
    func standstill(at now: Int64) -> Int64 {
        let sent = self.sent.load(ordering: .acquiring)
        guard sent > self.answered.load(ordering: .acquiring), now - sent > Watchdog.limit else { return 0 }
        return now - sent
    }
}

/// The requests of one route on one loop.
final class RouteMeter: Sendable {
    let method: String
    let route: String

    /// What it means that the route was used well, if that matters later.
    let audit: String?

    /// Of answers whose status begins with a 2, which is most of them.
    private let successes = Histogram(.latency)
    /// Of the others, by that digit: 1 to 5.
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

    /// The durations of answers whose status begins with a digit; nil or empty when there was none.
    func durations(_ digit: Int) -> Histogram? { digit == 2 ? self.successes : self.durations[digit - 1].load() }
}
