public import EventLoop

/// A listening socket that no server has taken yet.
public struct Listener: ~Copyable {
    /// Where it listens, with the port that the system picked if none was asked for.
    public let address: Address

    private var descriptor: CInt

    /// Listens on an address, together with other listeners of the same address.
    ///
    /// - Throws: When the address is taken by another program, or is not this machine's.
    public init(on address: Address) throws(SystemError) {
        let (descriptor, port) = try SocketCalls.listen(on: address)
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
