public import EventLoop

/// A listening socket that no server has taken yet.
public struct Listener: ~Copyable {
    /// Where it listens, with the port that the system picked if none was asked for.
    public let address: Address

    private var descriptor: CInt

    /// Listens on an address, together with other listeners of the same address.
    ///
    /// The kernel lets any program of the same user share a port that its sockets are ready to share. So the first
    /// listener makes sure that nobody is there yet; else two servers would each get half of the connections.
    ///
    /// - Parameters:
    ///   - address: Where to listen.
    ///   - isFirst: Whether this is the first listener of this server on the address.
    ///   - peerTimeout: How long a peer may take nothing of what was sent before the kernel ends its connection; one
    ///     that is there and does not read counts, too.
    /// - Throws: When the address is taken by another program, or is not this machine's.
    public init(on address: Address, isFirst: Bool = true, peerTimeout: Duration = .seconds(30)) throws(SystemError) {
        if isFirst, address.port != 0 {
            let (probe, _) = try SocketCalls.listen(on: address, isShared: false, peerTimeout: peerTimeout)
            SocketCalls.closeDescriptor(probe)
        }
        let (descriptor, port) = try SocketCalls.listen(on: address, peerTimeout: peerTimeout)
        self.descriptor = descriptor
        self.address = Address(host: address.host, port: port)
    }

    deinit {
        if self.descriptor >= 0 { SocketCalls.closeDescriptor(self.descriptor) }
    }

    /// Gives the descriptor away.
    consuming func takeDescriptor() -> CInt {
        let descriptor = self.descriptor
        self.descriptor = -1
        return descriptor
    }
}
