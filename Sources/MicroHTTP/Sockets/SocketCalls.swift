import CMicroHTTPD
import EventLoop
import Glibc
import InternetAddresses

/// The result of a write.
public enum SendOutcome: Equatable, Sendable {
    /// So many bytes were sent; fewer than offered when the socket is full now.
    case sent(Int)
    /// The socket is full.
    case full
    /// The peer is gone.
    case gone
}

enum ReceiveOutcome: Equatable {
    /// So many bytes were read.
    case received(Int)
    /// There is nothing to read now.
    case empty
    /// The peer closed, or is gone.
    case ended
}

/// A connection that was accepted, or is about to be passed to the library like one.
struct AcceptedConnection {
    fileprivate(set) var descriptor: CInt = -1
    var address = sockaddr_storage()
    fileprivate(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// The client's address; nil when it is not an internet address.
    var peer: IPAddress? {
        unsafe withUnsafePointer(to: self.address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe IPAddress($0) }
        }
    }
}

enum AcceptOutcome {
    case accepted(AcceptedConnection)
    /// No connection waits.
    case empty
    /// There are no descriptors, or there is no memory.
    case exhausted
}

/// System calls for sockets: EINTR is retried, failure becomes a `SystemError` or a case.
enum SocketCalls {
    static func send(_ descriptor: CInt, _ bytes: borrowing [UInt8], from start: Int = 0) -> SendOutcome {
        let count = unsafe bytes.withUnsafeBytes { buffer in
            while true {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                let count = unsafe Glibc.send(
                    descriptor,
                    rest.baseAddress,
                    rest.count,
                    CInt(MSG_DONTWAIT | MSG_NOSIGNAL)
                )
                if count >= 0 || errno != EINTR { return count }
            }
        }
        if count >= 0 { return .sent(count) }
        return errno == EAGAIN ? .full : .gone
    }

    static func receive(_ descriptor: CInt, into buffer: inout [UInt8]) -> ReceiveOutcome {
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            while true {
                let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
                if count >= 0 || errno != EINTR { return count }
            }
        }
        if count > 0 { return .received(count) }
        return count < 0 && errno == EAGAIN ? .empty : .ended
    }

    static func hasInput(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT | MSG_PEEK)) > 0
    }

    /// Whether the peer has closed its half or all of the connection, and everything it sent before was read.
    static func hasEnded(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT | MSG_PEEK))
        return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
    }

    /// Whether some bytes are not acknowledged by the peer's system, or not sent; false when the kernel does not say.
    static func hasUnacknowledged(_ descriptor: CInt) -> Bool { cmhd_unacknowledged(descriptor) > 0 }

    /// Whether the peer's system has acknowledged anything in the last `time` nanoseconds.
    static func hasAnswered(_ descriptor: CInt, within time: Int64) -> Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard unsafe getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return false }
        return Int64(info.tcpi_last_ack_recv) * 1_000_000 < time
    }

    static func duplicate(_ descriptor: CInt) throws(SystemError) -> CInt {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError(call: "fcntl", code: errno) }
        return copy
    }

    /// A peer that is gone is an error of the call that notices it, never a signal to the process.
    static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Closes the sending half; false when the connection is gone.
    static func closeHalf(_ descriptor: CInt) -> Bool {
        shutdown(descriptor, CInt(SHUT_WR)) == 0
    }

    /// Closes the receiving half: reading from any duplicate of the descriptor finds the end of the input.
    static func closeInput(_ descriptor: CInt) {
        _ = shutdown(descriptor, CInt(SHUT_RD))
    }

    /// Ends a connection for all duplicates of its descriptor; the kernel drops unsent data when it is closed.
    static func abort(_ descriptor: CInt) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        // Fails only when the connection is gone already.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    static func closeDescriptor(_ descriptor: CInt) {
        _ = close(descriptor)
    }

    /// How much the kernel may buffer for the peer, in bytes; it takes twice that, for its bookkeeping.
    ///
    /// By default it would buffer 2.5 MiB and more for a peer that stops reading, before the server notices.
    static let sendBuffer: CInt = 32 * 1024

    /// Has the kernel buffer at most ``sendBuffer`` for a peer that does not read.
    static func limitSendBuffer(of descriptor: CInt) {
        // Failure leaves the default, which is not worth losing a stream for.
        try? self.set(descriptor, SOL_SOCKET, SO_SNDBUF, self.sendBuffer)
    }

    /// Has the kernel size the buffer itself again, for a response longer than ``sendBuffer``.
    static func freeSendBuffer(of descriptor: CInt) {
        do throws(SystemError) { try self.set(descriptor, SOL_SOCKET, SO_BUF_LOCK, 0) } catch {
            // Linux before 5.16 never sizes a buffer again that was set once, so this sets the most that it takes.
            try? self.set(descriptor, SOL_SOCKET, SO_SNDBUF, 4 * 1024 * 1024)
        }
    }

    static func accept(from listener: CInt) -> AcceptOutcome {
        while true {
            var accepted = AcceptedConnection()
            let descriptor = unsafe withUnsafeMutablePointer(to: &accepted.address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe cmhd_accept(listener, $0, &accepted.length)
                }
            }
            if descriptor >= 0 {
                accepted.descriptor = descriptor
                return .accepted(accepted)
            }
            switch errno {
            case EAGAIN: return .empty
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            // accept(2): errors of this connection only; the next one may have none.
            case EINTR, ECONNABORTED, EPERM, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH: continue
            default: return .empty
            }
        }
    }

    /// An existing connection in the form of an accepted one; nil when its peer is gone.
    static func accepted(over descriptor: CInt) -> AcceptedConnection? {
        var accepted = AcceptedConnection()
        accepted.descriptor = descriptor
        let result = unsafe withUnsafeMutablePointer(to: &accepted.address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &accepted.length)
            }
        }
        return result == 0 ? accepted : nil
    }

    /// How many bytes the kernel has ever received on a connection, plus one if the peer has closed its half; nil when
    /// the kernel does not tell.
    static func bytesReceived(over descriptor: CInt) -> Int? {
        // `tcpi_bytes_received` in struct tcp_info of linux/tcp.h, which the C library's own header does not have.
        let (place, size) = (16, 17 * MemoryLayout<UInt64>.size)
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: place + 1) { info in
            var length = socklen_t(size)
            let result = unsafe getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, info.baseAddress, &length)
            return unsafe result == 0 && length == size ? Int(clamping: info[place]) : nil
        }
    }

    /// The number of the next descriptor, which is the lowest that is free; nil when there is none.
    static func lowestFreeDescriptor(besides descriptor: CInt) -> CInt? {
        guard let copy = try? self.duplicate(descriptor) else { return nil }
        self.closeDescriptor(copy)
        return copy
    }

    static func set(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt) throws(SystemError) {
        var value = value
        guard unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size)) == 0 else {
            throw SystemError(call: "setsockopt", code: errno)
        }
    }
}

/// What the operating system allows.
public enum SystemLimits {
    /// How many descriptors this process may have open, after raising the soft limit to the hard one.
    public static let descriptors: Int = {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }()
}
