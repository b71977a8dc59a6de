import MicroHTTP
import Synchronization
import ToastAccess
import ToastCore

/// Counts each caller's requests by their class: one for the whole server, used by all loops.
///
/// The buckets of a class are a table of at most 65,536 keys, however many sources a client can send from.
final class RateLimits: Sendable {
    private struct Table: Sendable {
        var buckets = Buckets<RateLimitKey>(capacity: 1, interval: Interval(nanoseconds: 1))
        var policy = ""
    }

    /// The buckets of one class.
    private final class Counter: Sendable {
        /// The callers that are counted: none, those on other machines, or all.
        ///
        /// Atomic, so that a request that is not counted takes no lock.
        enum Reach: UInt8, AtomicRepresentable {
            case none, remote, all
        }

        let reach = Atomic(Reach.none)
        let table = Mutex(Table())
        let prefix: String

        init(_ kind: RateClass) {
            self.prefix = "\"\(kind.rawValue)\";r="
        }

        func counts(_ caller: Caller) -> Bool {
            switch self.reach.load(ordering: .relaxed) {
            case .none: false
            case .remote: !caller.source.isLocal
            case .all: true
            }
        }

        func adopt(_ rule: ServiceLimits.Rate?, _ kind: RateClass) {
            guard let rule, let limit = rule.limit else {
                self.reach.store(.none, ordering: .relaxed)
                return self.table.withLock { $0 = Table() }
            }
            self.table.withLock { table in
                let (old, debt) = (table.buckets, RateLimits.maximumDebt)
                guard old.capacity != limit.burst || old.interval != limit.interval else { return }
                table.buckets = Buckets(capacity: limit.burst, interval: limit.interval, maximumDebt: debt)
                table.policy = "\"\(kind.rawValue)\";q=\(limit.burst);w=\(limit.window)"
            }
            self.reach.store(rule.sparesLocal ? .remote : .all, ordering: .relaxed)
        }
    }

    /// The most tokens beyond a bucket's capacity that one request may take, as a large batch does.
    private static let maximumDebt = 1000

    private let (publish, change, read) = (Counter(.publish), Counter(.change), Counter(.read))

    private func counter(_ kind: RateClass) -> Counter {
        switch kind {
        case .publish: self.publish
        case .change: self.change
        case .read: self.read
        }
    }

    /// Counts by these rates from now on; the buckets of an unchanged rate keep their levels.
    func adopt(_ rules: [RateClass: ServiceLimits.Rate]) {
        for kind in RateClass.allCases { self.counter(kind).adopt(rules[kind], kind) }
    }

    /// Takes tokens from a caller's bucket; a negative count gives them back.
    ///
    /// - Returns: How long to wait when they are not there; `nil` when they were, or when the caller is not counted.
    func take(_ count: Int, _ kind: RateClass, for caller: Caller, at now: @autoclosure () -> Instant) -> Interval? {
        let counter = self.counter(kind)
        guard counter.counts(caller) else { return nil }
        let now = now()
        let level = counter.table.withLock { $0.buckets.take(count, from: caller.rateLimitKey, at: now) }
        return level.isGranted ? nil : level.wait
    }

    func counts(_ kind: RateClass, for caller: Caller) -> Bool {
        self.counter(kind).counts(caller)
    }

    /// The fields that tell a caller what is left of its rate; `nil` when the caller is not counted.
    ///
    /// `RateLimit-Policy`: `q` is what a full bucket holds, `w` the seconds until an empty one is full. `RateLimit`:
    /// `r` is what is left, `t` the seconds until all of it is back (draft-ietf-httpapi-ratelimit-headers-10 §3, §4).
    func fields(
        _ kind: RateClass,
        for caller: Caller,
        at now: @autoclosure () -> Instant
    ) -> (policy: String, state: String)? {
        let counter = self.counter(kind)
        guard counter.counts(caller) else { return nil }
        let now = now()
        let (level, policy) = counter.table.withLock { ($0.buckets.level(of: caller.rateLimitKey, at: now), $0.policy) }
        let refill = Int((level.refill.nanoseconds + 999_999_999) / 1_000_000_000)
        // A buffer, because interpolation takes three times as long.
        var text = ByteBuffer(capacity: 48)
        text.append(counter.prefix)
        text.digits(UInt64(clamping: level.remaining))
        text.append(";t=")
        text.digits(UInt64(clamping: refill))
        return (policy, text.text)
    }
}
