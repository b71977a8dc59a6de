// Every system call of the loop goes through here: EINTR is retried, failure becomes a `SystemError`.

import CLinux
import Glibc

/// A system call that failed, and how.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call that failed, such as `epoll_ctl`.
    public let call: String

    /// The error number it left.
    public let code: CInt

    /// An error of a call.
    public init(call: String, code: CInt) {
        self.call = call
        self.code = code
    }

    /// The call and what the system says of the error.
    public var description: String { unsafe "\(self.call): \(String(cString: strerror(self.code)))" }
}

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

enum EpollOperation: CInt {
    case add = 1
    case delete = 2
    case modify = 3
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

enum SystemCalls {
    static func check(_ call: String, _ body: () -> CInt) throws(SystemError) -> CInt {
        while true {
            let result = body()
            if result >= 0 { return result }
            guard errno == EINTR else { throw SystemError(call: call, code: errno) }
        }
    }

    static func makeEpoll() throws(SystemError) -> CInt {
        try self.check("epoll_create1") { epoll_create1(CInt(EPOLL_CLOEXEC)) }
    }

    static func makeEventCounter() throws(SystemError) -> CInt {
        try self.check("eventfd") { eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK)) }
    }

    /// Adds, changes or ends the watch on a descriptor; `tag` comes back with its events.
    static func control(
        _ epoll: CInt,
        _ operation: EpollOperation,
        _ descriptor: CInt,
        _ readiness: Readiness,
        tag: UInt64
    ) throws(SystemError) {
        var event = unsafe epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: tag))
        _ = try self.check("epoll_ctl") { unsafe epoll_ctl(epoll, operation.rawValue, descriptor, &event) }
    }

    /// Waits for events: at most `timeout` nanoseconds, or until one comes when it is nil.
    static func wait(
        _ epoll: CInt,
        into buffer: inout EventBuffer,
        timeout: Int64?
    ) throws(SystemError) -> Int {
        let capacity = unsafe CInt(buffer.events.count)
        let count = unsafe buffer.events.withUnsafeMutableBufferPointer { buffer in
            guard let timeout else { return unsafe epoll_pwait2(epoll, buffer.baseAddress, capacity, nil, nil) }
            var limit = timespec(tv_sec: Int(timeout / 1_000_000_000), tv_nsec: Int(timeout % 1_000_000_000))
            return unsafe epoll_pwait2(epoll, buffer.baseAddress, capacity, &limit, nil)
        }
        if count < 0 {
            // A signal is no failure: the loop looks around and waits again.
            guard errno == EINTR else { throw SystemError(call: "epoll_pwait2", code: errno) }
            return 0
        }
        return Int(count)
    }

    /// Wakes whoever waits for the counter.
    ///
    /// It can only fail by being full, and then it is awake already.
    static func raise(_ counter: CInt) {
        var one: UInt64 = 1
        _ = unsafe write(counter, &one, MemoryLayout<UInt64>.size)
    }

    static func lower(_ counter: CInt) {
        var value: UInt64 = 0
        _ = unsafe read(counter, &value, MemoryLayout<UInt64>.size)
    }

    static func closeDescriptor(_ descriptor: CInt) {
        _ = close(descriptor)
    }

    /// As many random numbers as the kernel gives in one go, whatever signals come: random(4).
    static func randomWords() -> [UInt64] {
        var words = [UInt64](repeating: 0, count: 32)
        let size = words.count * MemoryLayout<UInt64>.stride
        precondition(unsafe getrandom(&words, size, 0) == size, "The kernel has no random numbers.")
        return words
    }

    static func monotonicNanoseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Starts a thread with a name of at most 15 bytes, and lets go of it.
    static func startThread(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                _ = unsafe start.name.withCString { unsafe clinux_name_this_thread($0) }
                start.body()
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }

    static func currentThread() -> UInt { UInt(pthread_self()) }
}

private final class ThreadStart {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
