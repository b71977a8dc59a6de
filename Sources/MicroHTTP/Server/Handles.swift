// The C objects of libmicrohttpd, each as a handle with its lifetime; pointers stay in here and in Callbacks.swift.

import CMicroHTTPD
import Glibc
import InternetAddresses

/// A daemon: owned; stopping it is what ends its life.
@safe struct DaemonHandle: ~Copyable {
    private let daemon: OpaquePointer
    private let context: Unmanaged<DaemonContext>

    /// Starts a daemon without a thread of its own, and without connections.
    ///
    /// - Returns: Nil when the library refuses, with its own word on standard error.
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

    /// The daemon's own epoll, readable when there is something to do.
    var epollDescriptor: CInt { unsafe cmhd_epoll_descriptor(self.daemon) }

    /// Does what can be done without waiting.
    func run() {
        unsafe MHD_run(self.daemon)
    }

    /// Milliseconds until ``run()`` has to be called though nothing happened; nil when it need not be.
    var timeout: UInt64? {
        var milliseconds: CUnsignedLongLong = 0
        guard unsafe MHD_get_timeout(self.daemon, &milliseconds) == .YES else { return nil }
        return milliseconds
    }

    /// Takes over a connection, whose socket it then owns; closes it when there are as many as there may be.
    func add(_ arrival: consuming Arrival) {
        let (descriptor, length) = (arrival.descriptor, arrival.length)
        unsafe withUnsafePointer(to: &arrival.address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe MHD_add_connection(self.daemon, descriptor, $0, length)
            }
        }
    }
}

/// What C knows of a server.
///
/// It must not own it: else a callback could end the server that runs it.
final class DaemonContext: Sendable {
    unowned let server: Server

    init(server: Server) {
        self.server = server
    }
}

/// A connection while one of its requests is under way: borrowed, valid until the request has completed.
///
/// `@unchecked Sendable` is right because it only goes from the library's callbacks to the server, both on the
/// loop's thread.
@safe struct ConnectionHandle: @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) {
        unsafe self.connection = connection
    }

    /// The connection's socket, which stays the library's.
    var descriptor: CInt { unsafe cmhd_connection_descriptor(self.connection) }

    /// Where the connection comes from; nil when it is no address of the internet.
    var peer: IPAddress? {
        guard let address = unsafe cmhd_peer(self.connection) else { return nil }
        return unsafe IPAddress(address)
    }

    /// Collects the header fields of the request whose line is given.
    func head(behind line: RequestLine) -> HeadReader {
        let size = unsafe cmhd_head_size(self.connection)
        var head = HeadReader(behind: line, size: size)
        unsafe withUnsafeMutablePointer(to: &head) { pointer in
            _ = unsafe MHD_get_connection_values_n(self.connection, .HEADER_KIND, onField, pointer)
        }
        head.finish()
        return head
    }

    /// Hands a response to the library; false when the connection no longer takes one.
    func queue(_ response: Response) -> Bool {
        unsafe response.body.withUnsafeBytes { body in
            guard
                let handle = unsafe MHD_create_response_from_buffer(
                    body.count,
                    UnsafeMutableRawPointer(mutating: body.baseAddress),
                    .RESPMEM_MUST_COPY
                )
            else { return false }
            defer { unsafe MHD_destroy_response(handle) }
            for field in response.headers {
                // Handed over as an argument, a text would be copied into an array first.
                unsafe field.name.withCString { name in
                    unsafe field.value.withCString { _ = unsafe MHD_add_response_header(handle, name, $0) }
                }
            }
            if response.closesConnection { _ = unsafe MHD_add_response_header(handle, "Connection", "close") }
            return unsafe MHD_queue_response(self.connection, CUnsignedInt(response.status), handle) == .YES
        }
    }

    /// Stops looking at the connection.
    ///
    /// Only in the handler's call for it.
    func suspend() {
        unsafe MHD_suspend_connection(self.connection)
    }

    /// Looks at a suspended connection again, once ``DaemonHandle/run()`` is called.
    func resume() {
        unsafe MHD_resume_connection(self.connection)
    }
}

/// A part of a request's body: borrowed for the time of the call.
///
/// `@unchecked Sendable` is right because the call that it lives for never leaves the loop's thread.
@safe struct UploadChunk: @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer

    init(_ start: UnsafePointer<CChar>?, count: Int) {
        unsafe self.bytes = UnsafeRawBufferPointer(start: start, count: count)
    }

    var count: Int { unsafe self.bytes.count }

    func append(to body: inout [UInt8]) {
        unsafe body.append(contentsOf: self.bytes)
    }
}
