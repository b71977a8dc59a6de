import Dispatch
import Synchronization

/// Where callers leave work for the one thread that does it.
///
/// Bounded: past ``MailboxState/capacity`` letters the newest is refused, so that a disk that hangs costs a known amount
/// of memory. Whoever sends waits for the answer, so the bound is only ever met in trouble.
final class Mailbox<OutgoingRequest: Sendable>: Sendable {
    private let room = Mutex(MailboxState<OutgoingRequest>())
    /// Signalled once for each time that the worker was found asleep.
    private let bell = DispatchSemaphore(value: 0)

    /// Leaves a letter; `false` when it was refused, because the box is full or closed.
    func send(_ letter: OutgoingRequest) -> Bool {
        switch self.room.withLock({ $0.send(letter) }) {
        case .wake: self.bell.signal()
        case .wait: break
        case .refuse: return false
        }
        return true
    }

    /// Whether the box accepts no more letters.
    var isClosed: Bool { self.room.withLock { $0.isClosed } }

    /// Takes all letters that wait, oldest first; `nil` once the box is closed and empty.
    ///
    /// Sleeps while there are none. Only the worker calls it.
    ///
    /// - Parameter patience: How long to sleep; for as long as it takes when it is nil.
    /// - Returns: The letters; none when the time was up first.
    func next(within patience: DispatchTimeInterval? = nil) -> [OutgoingRequest]? {
        let end = patience.map { DispatchTime.now() + $0 } ?? .distantFuture
        while true {
            switch self.room.withLock({ $0.take() }) {
            case .work(let letters): return letters
            // A letter that comes right now rings once too often, and the worker looks once too often.
            case .sleep: if self.bell.wait(timeout: end) == .timedOut { return [] }
            case .end: return nil
            }
        }
    }

    /// Accepts no more letters, still delivers those that wait; idempotent.
    func close() {
        if self.room.withLock({ $0.close() }) {
            self.bell.signal()
        }
    }
}

/// The decisions of a ``Mailbox``, without its lock and its thread.
struct MailboxState<OutgoingRequest> {
    /// The most letters that wait at a time.
    static var capacity: Int { 65_536 }

    private enum State {
        /// Entered at the start and when letters were taken; left when the worker finds nothing, or by `close`.
        case awake
        /// Entered when the worker finds nothing; left by the next letter, or by `close`.
        case asleep
        /// Entered by `close`; final.
        case closed
    }

    private var state = State.awake
    private var waiting: [OutgoingRequest] = []

    var isClosed: Bool { self.state == .closed }

    /// What the sender of a letter has to do.
    enum SendAction: Equatable {
        case wait
        case wake
        case refuse
    }

    mutating func send(_ letter: OutgoingRequest) -> SendAction {
        guard self.state != .closed, self.waiting.count < Self.capacity else { return .refuse }
        self.waiting.append(letter)
        guard self.state == .asleep else { return .wait }
        self.state = .awake
        return .wake
    }

    /// What the worker has to do.
    enum TakeAction {
        case work([OutgoingRequest])
        case sleep
        case end
    }

    mutating func take() -> TakeAction {
        guard self.waiting.isEmpty else {
            defer { self.waiting = [] }
            return .work(self.waiting)
        }
        guard self.state != .closed else { return .end }
        self.state = .asleep
        return .sleep
    }

    /// Whether the worker sleeps and has to be woken to see it.
    mutating func close() -> Bool {
        defer { self.state = .closed }
        return self.state == .asleep
    }
}
