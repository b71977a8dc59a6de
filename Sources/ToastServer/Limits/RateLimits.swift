import MicroHTTP
import Synchronization
import ToastAccess
import ToastCore

/// Counts how often each party does what: one for the whole server, used by all loops.
///
/// The buckets of a class are a table of at most 65,536 parties, whatever number of sources somebody can send from.
final class RateLimits: Sendable {
    /// The fields that tell a client how it stands (draft-ietf-httpapi-ratelimit-headers-10 §3 and §4).
    struct Fields: Sendable {
        /// `RateLimit-Policy`: `q` is what a full bucket holds, `w` the seconds until an empty one is full.
        let policy: String
        /// `RateLimit`: `r` is what is left, `t` the seconds until all of it is back.
        let state: String
    }

    private struct Table: Sendable {
        var buckets = Buckets<RateLimitKey>(capacity: 1, interval: Interval(nanoseconds: 1))
        var policy = ""
    }

    /// What is counted as one class.
    private final class Counter: Sendable {
        /// Whom the class counts: so that most requests of a server at home cost one look.
        enum Reach: UInt8, AtomicRepresentable {
            case nobody, strangers, everybody
        }

        let reach = Atomic(Reach.nobody)
        let table = Mutex(Table())
        let prefix: [UInt8]

        init(_ kind: RateClass) {
            self.prefix = Array("\"\(kind.rawValue)\";r=".utf8)
        }

        func counts(_ visitor: Caller) -> Bool {
            switch self.reach.load(ordering: .relaxed) {
            case .nobody: false
            case .strangers: !visitor.source.isLocal
            case .everybody: true
            }
        }

        func adopt(_ rule: ServiceLimits.Rate?, _ kind: RateClass) {
            guard let rule, let limit = rule.limit else {
                self.reach.store(.nobody, ordering: .relaxed)
                return self.table.withLock { $0 = Table() }
            }
            self.table.withLock { table in
                let (old, debt) = (table.buckets, RateLimits.maximumDebt)
                guard old.capacity != limit.burst || old.interval != limit.interval else { return }
                table.buckets = Buckets(capacity: limit.burst, interval: limit.interval, maximumDebt: debt)
                table.policy = "\"\(kind.rawValue)\";q=\(limit.burst);w=\(limit.window)"
            }
            self.reach.store(rule.sparesLocal ? .strangers : .everybody, ordering: .relaxed)
        }
    }

    /// The most that one request takes at once beyond what a bucket may hold: a batch.
    private static let maximumDebt = 1000

    private let (publish, change, read) = (Counter(.publish), Counter(.change), Counter(.read))

    private func counter(_ kind: RateClass) -> Counter {
        switch kind {
        case .publish: self.publish
        case .change: self.change
        case .read: self.read
        }
    }

    /// Goes by these rules from now on.
    ///
    /// Waits that are running go on when their rule has not changed.
    func adopt(_ rules: [RateClass: ServiceLimits.Rate]) {
        for kind in RateClass.allCases { self.counter(kind).adopt(rules[kind], kind) }
    }

    /// Takes from a visitor's bucket what something costs; a negative cost is given back.
    ///
    /// - Returns: How long to wait when it is not there; `nil` when it was, or when nothing is counted.
    func take(_ count: Int, _ kind: RateClass, for visitor: Caller, at now: @autoclosure () -> Instant) -> Interval? {
        let counter = self.counter(kind)
        guard counter.counts(visitor) else { return nil }
        let now = now()
        let level = counter.table.withLock { $0.buckets.take(count, from: visitor.party, at: now) }
        return level.isGranted ? nil : level.wait
    }

    /// Whether anything is counted of a visitor.
    func counts(_ kind: RateClass, for visitor: Caller) -> Bool {
        self.counter(kind).counts(visitor)
    }

    /// How a visitor stands; `nil` when nothing is counted.
    func fields(_ kind: RateClass, for visitor: Caller, at now: @autoclosure () -> Instant) -> Fields? {
        let counter = self.counter(kind)
        guard counter.counts(visitor) else { return nil }
        let now = now()
        let (level, policy) = counter.table.withLock { ($0.buckets.level(of: visitor.party, at: now), $0.policy) }
        let refill = Int((level.refill.nanoseconds + 999_999_999) / 1_000_000_000)
        // Written by hand: interpolation takes three times as long.
        var text = counter.prefix
        text.reserveCapacity(48)
        Self.append(level.remaining, to: &text)
        text.append(UInt8(ascii: ";"))
        text.append(UInt8(ascii: "t"))
        text.append(UInt8(ascii: "="))
        Self.append(refill, to: &text)
        return Fields(policy: policy, state: String(decoding: text, as: UTF8.self))
    }

    private static func append(_ number: Int, to text: inout [UInt8]) {
        var unit = 1
        while unit <= number / 10 { unit *= 10 }
        while unit > 0 {
            text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
            unit /= 10
        }
    }
}
