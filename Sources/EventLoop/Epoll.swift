import CLinux
import Glibc

/// What a descriptor is ready for, or is watched for.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The bits as `epoll(7)` numbers them.
    public let rawValue: UInt32

    /// There is something to read, or the end of the stream.
    public static let readable = Self(rawValue: EPOLLIN.rawValue)

    /// There is room to write.
    public static let writable = Self(rawValue: EPOLLOUT.rawValue)

    /// The peer closed its half: `EPOLLRDHUP`.
    public static let peerClosed = Self(rawValue: EPOLLRDHUP.rawValue)

    /// The connection is gone or broken: reported always, watched for or not.
    public static let hungUp = Self(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)

    /// A set of bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Room for the events of one turn.
///
/// Safe, because the union in an event is only read as the tag that was put in.
@safe struct EventBuffer {
    fileprivate var events: [epoll_event]

    init(capacity: Int) {
        unsafe self.events = [epoll_event](repeating: epoll_event(), count: capacity)
    }

    func tag(at index: Int) -> UInt64 { unsafe self.events[index].data.u64 }

    func readiness(at index: Int) -> Readiness { unsafe Readiness(rawValue: self.events[index].events) }
}

/// An epoll set: owned, closed with this value.
struct Epoll: ~Copyable, Sendable {
    private let descriptor: CInt

    init() throws(SystemError) {
        self.descriptor = try SystemError.check("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) }
    }

    deinit { _ = close(self.descriptor) }

    /// Makes a call of epoll_ctl(2) with an operation such as `EPOLL_CTL_ADD`; `tag` comes back with the events.
    func control(_ operation: CInt, _ descriptor: CInt, _ readiness: Readiness, tag: UInt64) throws(SystemError) {
        var event = unsafe epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: tag))
        let epoll = self.descriptor
        _ = try SystemError.check("epoll_ctl") { unsafe epoll_ctl(epoll, operation, descriptor, &event) }
    }

    /// Waits for events: at most `timeout` nanoseconds, or for any time when it is `.max`.
    func wait(into buffer: inout EventBuffer, timeout: Int64) throws(SystemError) -> Int {
        let epoll = self.descriptor
        let capacity = unsafe CInt(buffer.events.count)
        let count = unsafe buffer.events.withUnsafeMutableBufferPointer { buffer in
            guard timeout < .max else { return unsafe epoll_pwait2(epoll, buffer.baseAddress, capacity, nil, nil) }
            var limit = timespec(tv_sec: Int(timeout / 1_000_000_000), tv_nsec: Int(timeout % 1_000_000_000))
            return unsafe epoll_pwait2(epoll, buffer.baseAddress, capacity, &limit, nil)
        }
        // A signal is no failure: the loop runs what is due and waits again.
        guard count >= 0 || errno == EINTR else { throw SystemError(call: "epoll_pwait2", code: errno) }
        return max(0, Int(count))
    }
}

/// An eventfd, which wakes a thread that waits in epoll: owned, closed with this value.
struct EventCounter: ~Copyable, Sendable {
    let descriptor: CInt

    init() throws(SystemError) {
        self.descriptor = try SystemError.check("eventfd") { eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK)) }
    }

    deinit { _ = close(self.descriptor) }

    /// Makes the descriptor readable.
    ///
    /// It can only fail because the counter is full, and then the descriptor is readable already.
    func raise() {
        var one: UInt64 = 1
        _ = unsafe write(self.descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Makes the descriptor unreadable again.
    func lower() {
        var value: UInt64 = 0
        _ = unsafe read(self.descriptor, &value, MemoryLayout<UInt64>.size)
    }
}
