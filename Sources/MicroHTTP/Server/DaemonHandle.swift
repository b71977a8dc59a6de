import CMicroHTTPD
import Glibc

/// A daemon of libmicrohttpd: owned, stopped with this value.
@safe struct DaemonHandle: ~Copyable {
    private let daemon: OpaquePointer
    private let context: Unmanaged<DaemonContext>

    /// Starts a daemon without a thread of its own, and without connections.
    ///
    /// - Returns: Nil when the library refuses, with its reason on standard error.
    init?(for server: Server, _ configuration: Server.Configuration) {
        let context = unsafe Unmanaged.passRetained(DaemonContext(server: server))
        var options = unsafe cmhd_configuration(
            connection_limit: CUnsignedInt(configuration.connectionLimit),
            memory_limit: configuration.memoryLimit,
            memory_increment: 512,
            context: context.toOpaque(),
            on_connection: onConnection,
            on_access: onAccess,
            on_completed: onCompleted,
            on_target: onTarget,
            unescape: leaveEscaped
        )
        guard let daemon = unsafe cmhd_start(&options) else {
            unsafe context.release()
            return nil
        }
        unsafe self.daemon = daemon
        unsafe self.context = context
    }

    deinit {
        unsafe MHD_stop_daemon(self.daemon)
        unsafe self.context.release()
    }

    /// The daemon's epoll set, readable when there is something to do.
    var epollDescriptor: CInt { unsafe cmhd_epoll_descriptor(self.daemon) }

    /// Does what can be done without waiting.
    func run() {
        unsafe MHD_run(self.daemon)
    }

    /// Milliseconds until ``run()`` has to be called even if nothing happens; nil when it need not be.
    var timeout: UInt64? {
        var milliseconds: CUnsignedLongLong = 0
        guard unsafe MHD_get_timeout(self.daemon, &milliseconds) == .YES else { return nil }
        return milliseconds
    }

    /// Takes a connection, whose socket it then owns; closes it when there are as many as allowed.
    func add(_ accepted: consuming AcceptedConnection) {
        let (descriptor, length) = (accepted.descriptor, accepted.length)
        unsafe withUnsafePointer(to: &accepted.address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe MHD_add_connection(self.daemon, descriptor, $0, length)
            }
        }
    }
}

/// The context of the library's callbacks.
///
/// It must not own the server: otherwise a callback could release the server that runs it.
final class DaemonContext: Sendable {
    unowned let server: Server

    init(server: Server) {
        self.server = server
    }
}
