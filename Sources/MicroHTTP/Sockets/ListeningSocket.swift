public import EventLoop
import Glibc

/// A listening socket that no server uses yet.
public struct ListeningSocket: ~Copyable {
    /// Where it listens, with the port that the system chose if none was asked for.
    public let address: Address

    private var descriptor: CInt

    /// Listens on an address, together with other sockets of the same server.
    ///
    /// The kernel lets any program of the same user share a port whose sockets allow it (`SO_REUSEPORT`). So the first
    /// one checks that no other program listens there; otherwise two servers would each get half of the connections.
    ///
    /// - Parameters:
    ///   - address: Where to listen.
    ///   - isFirst: Whether this is the first listening socket of this server on the address.
    ///   - peerTimeout: How long a peer may acknowledge nothing of what was sent before the kernel ends its connection;
    ///     a peer that is there and does not read counts, too.
    /// - Throws: When the address is taken by another program, or is not this machine's.
    public init(on address: Address, isFirst: Bool = true, peerTimeout: Duration = .seconds(30)) throws(SystemError) {
        if isFirst, address.port != 0 {
            SocketCalls.closeDescriptor(try Self.listen(on: address, isShared: false, peerTimeout))
        }
        self.descriptor = try Self.listen(on: address, isShared: true, peerTimeout)
        self.address = Address(host: address.host, port: Self.port(of: self.descriptor))
    }

    deinit {
        if self.descriptor >= 0 { SocketCalls.closeDescriptor(self.descriptor) }
    }

    /// Passes the descriptor to the caller.
    consuming func takeDescriptor() -> CInt {
        let descriptor = self.descriptor
        self.descriptor = -1
        return descriptor
    }

    private static func listen(
        on address: Address,
        isShared: Bool,
        _ peerTimeout: Duration
    ) throws(SystemError) -> CInt {
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
            try SocketCalls.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            if isShared { try SocketCalls.set(descriptor, SOL_SOCKET, SO_REUSEPORT, 1) }
            self.tune(descriptor, peerTimeout)
            guard unsafe bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
                throw SystemError(call: "bind", code: errno)
            }
            // An accepted connection takes memory for a head. So the kernel keeps a connection until its client has
            // sent something, at most a second. If the option fails, connections are accepted at once.
            try? SocketCalls.set(descriptor, CInt(IPPROTO_TCP), TCP_DEFER_ACCEPT, 1)
            guard Glibc.listen(descriptor, SOMAXCONN) == 0 else { throw SystemError(call: "listen", code: errno) }
            return descriptor
        } catch {
            SocketCalls.closeDescriptor(descriptor)
            throw error
        }
    }

    /// Sets three options of connections here, because accepted sockets inherit them, which saves three calls for each:
    /// frames are sent at once, the kernel buffers little for a peer that does not read, and a peer that acknowledges
    /// nothing for the timeout is gone.
    private static func tune(_ listener: CInt, _ peerTimeout: Duration) {
        SocketCalls.limitSendBuffer(of: listener)
        // Failure leaves the kernel's defaults.
        try? SocketCalls.set(listener, CInt(IPPROTO_TCP), TCP_NODELAY, 1)
        let milliseconds = CInt(clamping: peerTimeout.components.seconds * 1000)
        try? SocketCalls.set(listener, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, milliseconds)
    }

    /// The port that a listening socket is bound to.
    private static func port(of descriptor: CInt) -> UInt16 {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        // getsockname(2) fails only for what is not a socket, or is bad memory.
        _ = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        // IPv4 and IPv6 addresses have the port at the same place.
        return UInt16(bigEndian: storage.sin6_port)
    }
}
