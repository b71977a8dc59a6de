import CMicroHTTPD
import InternetAddresses

/// A connection as libmicrohttpd has it: borrowed, valid until the current request has completed.
///
/// `@unchecked Sendable` is right because the library's callbacks pass it only to the server, on the same thread.
@safe struct ConnectionHandle: @unchecked Sendable {
    private let connection: OpaquePointer

    init(_ connection: OpaquePointer) {
        unsafe self.connection = connection
    }

    /// The connection's socket, which stays the library's.
    var descriptor: CInt { unsafe cmhd_connection_descriptor(self.connection) }

    /// The client's address; nil when it is not an internet address.
    var peer: IPAddress? {
        guard let address = unsafe cmhd_peer(self.connection) else { return nil }
        return unsafe IPAddress(address)
    }

    /// Collects the header fields of the request with this line.
    func head(after line: RequestLine) -> HeadReader {
        let size = unsafe cmhd_head_size(self.connection)
        var head = HeadReader(after: line, size: size)
        unsafe withUnsafeMutablePointer(to: &head) { pointer in
            _ = unsafe MHD_get_connection_values_n(self.connection, .HEADER_KIND, onField, pointer)
        }
        head.finish()
        return head
    }

    /// Passes a response to the library; false when the connection does not take one any more.
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
                // A String passed as an argument would be copied into an array first.
                unsafe field.name.withCString { name in
                    unsafe field.value.withCString { _ = unsafe MHD_add_response_header(handle, name, $0) }
                }
            }
            if response.closesConnection { _ = unsafe MHD_add_response_header(handle, "Connection", "close") }
            return unsafe MHD_queue_response(self.connection, CUnsignedInt(response.status), handle) == .YES
        }
    }

    /// Call it only in a callback for this connection.
    func suspend() {
        unsafe MHD_suspend_connection(self.connection)
    }

    /// Resumes a suspended connection; the library goes on with it in the next ``DaemonHandle/run()``.
    func resume() {
        unsafe MHD_resume_connection(self.connection)
    }
}

/// A part of a request's body: borrowed for the time of the callback.
///
/// `@unchecked Sendable` is right because the callback never leaves the loop's thread.
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
