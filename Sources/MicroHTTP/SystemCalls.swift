// Sockets: every call goes through here, EINTR is retried, failure becomes a `SystemError` or a case.

import CMicroHTTPD
import EventLoop
import Glibc
import InternetAddresses

/// What became of a write.
public enum SendOutcome: Equatable, Sendable {
    /// So many bytes went out; fewer than offered when the socket is full now.
    case sent(Int)
    /// The socket is full.
    case full
    /// The peer is gone.
    case gone
}

/// What became of a read.
enum ReceiveOutcome: Equatable {
    /// So many bytes came.
    case received(Int)
    /// Nothing is there yet.
    case empty
    /// The peer closed, or is gone.
    case ended
}

/// A connection that was accepted, and where it comes from.
struct Arrival {
    fileprivate(set) var descriptor: CInt = -1
    var address = sockaddr_storage()
    fileprivate(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Where it comes from; nil when that is no address of the internet.
    var peer: IPAddress? {
        unsafe withUnsafePointer(to: self.address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe IPAddress($0) }
        }
    }
}

/// What became of taking a connection.
enum AcceptOutcome {
    case accepted(Arrival)
    /// Nobody waits.
    case empty
    /// Descriptors or memory have run out.
    case exhausted
}

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

    /// Whether something lies there that nobody has read.
    static func hasInput(_ descriptor: CInt) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT | MSG_PEEK)) > 0
    }

    static func duplicate(_ descriptor: CInt) throws(SystemError) -> CInt {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw SystemError(call: "fcntl", code: errno) }
        return copy
    }

    /// A peer that is gone is an error of the call that finds out, never a signal to the process.
    static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Says that nothing more will be sent; false when the connection is gone.
    static func closeHalf(_ descriptor: CInt) -> Bool {
        shutdown(descriptor, CInt(SHUT_WR)) == 0
    }

    /// Reads nothing more: whoever holds the descriptor finds the end of the input.
    static func closeInput(_ descriptor: CInt) {
        _ = shutdown(descriptor, CInt(SHUT_RD))
    }

    /// Ends a connection whoever holds its descriptor, and has the kernel drop what was not sent when it is closed.
    static func abort(_ descriptor: CInt) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        // A socket that refuses this is gone already.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    static func closeDescriptor(_ descriptor: CInt) {
        _ = close(descriptor)
    }

    /// How much the kernel may hold for the peer, in bytes; it takes twice that, for its own needs.
    ///
    /// Its own choice would be 2.5 MiB and more for a peer that stops to read, before anybody notices.
    static let sendBuffer: CInt = 32 * 1024

    /// The kernel holds no more than ``sendBuffer`` for a peer that does not read.
    static func limitSendBuffer(of descriptor: CInt) {
        // Not worth losing a stream for: what the kernel refuses stays at its default.
        try? self.set(descriptor, SOL_SOCKET, SO_SNDBUF, self.sendBuffer)
    }

    /// The kernel holds as much for the peer as the way there takes, for an answer that has more than ``sendBuffer``.
    static func freeSendBuffer(of descriptor: CInt) {
        do throws(SystemError) { try self.set(descriptor, SOL_SOCKET, SO_BUF_LOCK, 0) } catch {
            // Linux before 5.16 never chooses again once it was told, so it is told the most that it takes.
            try? self.set(descriptor, SOL_SOCKET, SO_SNDBUF, 4 * 1024 * 1024)
        }
    }

    /// Small frames leave at once, the kernel holds little for who does not read, and a peer that takes nothing for so long
    /// is gone.
    ///
    /// Said of the listening socket, because what it accepts inherits all three, and a stream is then three calls cheaper.
    private static func tune(_ listener: CInt, peerTimeout: Duration) {
        self.limitSendBuffer(of: listener)
        try? self.set(listener, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
        let milliseconds = CInt(clamping: peerTimeout.components.seconds * 1000)
        try? self.set(listener, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, milliseconds)
    }

    /// Makes a listening socket, which may share its port with the others of the same address.
    static func listen(
        on address: Address,
        isShared: Bool = true,
        peerTimeout: Duration
    ) throws(SystemError) -> (descriptor: CInt, port: UInt16) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address.host, String(address.port), &hints, &list) == 0, let first = unsafe list else {
            throw SystemError(call: "getaddrinfo", code: EADDRNOTAVAIL)
        }
        defer { unsafe freeaddrinfo(first) }
        let info = unsafe first.pointee
        let descriptor = unsafe socket(
            info.ai_family,
            CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
        do throws(SystemError) {
            try self.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            if isShared { try self.set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
            self.tune(descriptor, peerTimeout: peerTimeout)
            guard unsafe bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
                throw SystemError(call: "bind", code: errno)
            }
            // Who was accepted takes memory for a head, so who has said nothing yet waits a second in the kernel. Where that
            // is not to be had, all are accepted at once.
            try? self.set(descriptor, CInt(IPPROTO_TCP), TCP_DEFER_ACCEPT, 1)
            guard Glibc.listen(descriptor, SOMAXCONN) == 0 else { throw SystemError(call: "listen", code: errno) }
            return (descriptor, try self.port(of: descriptor))
        } catch {
            self.closeDescriptor(descriptor)
            throw error
        }
    }

    /// Takes a connection from a listening socket.
    static func accept(from listener: CInt) -> AcceptOutcome {
        while true {
            var arrival = Arrival()
            let descriptor = unsafe withUnsafeMutablePointer(to: &arrival.address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe cmhd_accept(listener, $0, &arrival.length)
                }
            }
            if descriptor >= 0 {
                arrival.descriptor = descriptor
                return .accepted(arrival)
            }
            switch errno {
            case EAGAIN: return .empty
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            // accept(2): what befell the connection itself; the next one may be well.
            case EINTR, ECONNABORTED, EPERM, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH: continue
            default: return .empty
            }
        }
    }

    /// A connection that there is already, as if it had just been accepted; nil when its peer is gone.
    static func arrival(over descriptor: CInt) -> Arrival? {
        var arrival = Arrival()
        arrival.descriptor = descriptor
        let result = unsafe withUnsafeMutablePointer(to: &arrival.address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getpeername(descriptor, $0, &arrival.length)
            }
        }
        return result == 0 ? arrival : nil
    }

    /// How many bytes have ever come over a connection, whoever has read them, and one for the end if that has come; nil
    /// when the kernel does not tell.
    static func bytesReceived(over descriptor: CInt) -> Int? {
        // `tcpi_bytes_received` in struct tcp_info of linux/tcp.h, which the C library's own header does not have.
        let (place, size) = (16, 17 * MemoryLayout<UInt64>.size)
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: place + 1) { info in
            var length = socklen_t(size)
            let result = unsafe getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, info.baseAddress, &length)
            return unsafe result == 0 && length == size ? Int(clamping: info[place]) : nil
        }
    }

    /// The number that the next descriptor will get, which is the lowest that is free; nil when there is none.
    static func lowestFreeDescriptor(besides descriptor: CInt) -> CInt? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.closeDescriptor(copy)
        return copy
    }

    /// How many descriptors the process may have; raises the soft limit to the hard one first.
    static func descriptorLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }

    private static func port(of descriptor: CInt) throws(SystemError) -> UInt16 {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0 else { throw SystemError(call: "getsockname", code: errno) }
        // IPv4 and IPv6 addresses hold the port at the same place.
        return UInt16(bigEndian: storage.sin6_port)
    }

    private static func set(
        _ descriptor: CInt,
        _ level: CInt,
        _ option: CInt,
        _ value: CInt
    ) throws(SystemError) {
        var value = value
        guard unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size)) == 0 else {
            throw SystemError(call: "setsockopt", code: errno)
        }
    }
}

/// What the operating system allows.
public enum SystemLimits {
    /// How many descriptors this process may have open, its soft limit raised as far as it may be.
    public static let descriptors = SocketCalls.descriptorLimit()
}

/// The time of day, which may be set back.
enum WallClock {
    /// Now, in seconds since the beginning of 1970.
    static var seconds: Int { time(nil) }

    /// A moment in UTC, in the words of the C locale, which this program never leaves.
    ///
    /// - Parameters:
    ///   - seconds: Seconds since the beginning of 1970.
    ///   - format: What `strftime` takes; its text is shorter than 64 bytes.
    /// - Returns: The text; empty when it is too long.
    static func text(ofSecond seconds: Int, format: String) -> String {
        var seconds = seconds
        var parts = unsafe tm()
        var text = [CChar](repeating: 0, count: 64)
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
        let length = unsafe strftime(&text, text.count, format, &parts)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
