// What libmicrohttpd calls. Each function only unwraps its arguments, recovers the context and calls one method;
// each runs on the loop's thread, inside `MHD_run`.

import CMicroHTTPD
import EventLoop
import Glibc

/// Feeds `MHD_OPTION_NOTIFY_CONNECTION`: a connection was added, or is closed.
///
/// The slot holds the connection's context until it is closed.
func onConnection(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ event: MHD_ConnectionNotificationCode
) {
    guard let context = unsafe context, let connection = unsafe connection, let slot = unsafe slot else { return }
    let server = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue().server
    if let own = unsafe slot.pointee {
        unsafe slot.pointee = nil
        let old = unsafe Unmanaged<Connection>.fromOpaque(own).takeRetainedValue()
        server.onLoop(old) { $0.leave($1) }
    } else if event == .CONNECTION_NOTIFY_STARTED {
        let handle = unsafe ConnectionHandle(connection)
        let new = Connection(descriptor: handle.descriptor, address: handle.peer)
        unsafe slot.pointee = Unmanaged.passRetained(new).toOpaque()
        server.onLoop(new) { $0.arrive($1) }
    }
}

/// Feeds `MHD_OPTION_URI_LOG_CALLBACK`: a request line was read.
///
/// Returns the request's context, which ``onCompleted`` releases.
func onTarget(
    _ context: UnsafeMutableRawPointer?,
    _ target: UnsafePointer<CChar>?,
    _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context, let target = unsafe target, let connection = unsafe connection,
        let own = unsafe cmhd_connection_context(connection)
    else { return nil }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
    // The library would split the query next, and use most of a connection's memory for a hundred parameters that are
    // never read. So the query is cut off here, in the library's buffer, which it would decode in place anyway.
    if let mark = bytes.firstIndex(of: UInt8(ascii: "?")), mark + 1 < bytes.count {
        unsafe UnsafeMutablePointer(mutating: target)[mark + 1] = 0
    }
    let exchange = unsafe Exchange(
        target: bytes,
        at: UInt(bitPattern: target),
        of: Unmanaged<Connection>.fromOpaque(own).takeUnretainedValue()
    )
    let server = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue().server
    server.onLoop(exchange) { $0.awaitRest(of: $1) }
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

/// Feeds the `dh` of `MHD_start_daemon`: called for a request's head, for each part of its body, and for its end.
func onAccess(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?,
    _ upload: UnsafePointer<CChar>?,
    _ uploadSize: UnsafeMutablePointer<Int>?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
        let version = unsafe version, let uploadSize = unsafe uploadSize, let own = unsafe slot?.pointee
    else { return .NO }
    let server = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue().server
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(own).takeUnretainedValue()
    let handle = unsafe ConnectionHandle(connection)
    let chunk = unsafe UploadChunk(upload, count: uploadSize.pointee)
    unsafe uploadSize.pointee = 0
    let line =
        unsafe exchange.hasBegun
        ? nil : RequestLine(method: method, target: exchange.targetAddress, version: version)
    let goesOn = server.onLoop((exchange, handle, chunk, line)) { server, call in
        let (exchange, handle, chunk, line) = call
        guard let line else { return server.proceed(exchange, handle, chunk) }
        return server.begin(exchange, handle, line)
    }
    return goesOn ? .YES : .NO
}

/// Feeds `MHD_OPTION_NOTIFY_COMPLETED`: the request has ended, and its connection handle is no longer valid.
func onCompleted(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ reason: MHD_RequestTerminationCode
) {
    guard let context = unsafe context, let connection = unsafe connection, let own = unsafe slot?.pointee else {
        return
    }
    unsafe slot?.pointee = nil
    let server = unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue().server
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(own).takeRetainedValue()
    let handle = unsafe ConnectionHandle(connection)
    server.onLoop((exchange, handle)) { server, call in server.complete(call.0, call.1) }
}

/// Feeds `MHD_OPTION_UNESCAPE_CALLBACK`: decodes nothing, because ``Target`` decodes the raw text.
func leaveEscaped(
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ text: UnsafeMutablePointer<CChar>?
) -> Int {
    guard let text = unsafe text else { return 0 }
    return unsafe strlen(text)
}

/// Feeds `MHD_get_connection_values_n`: one header field.
func onField(
    _ head: UnsafeMutableRawPointer?,
    _ kind: MHD_ValueKind,
    _ name: UnsafePointer<CChar>?,
    _ nameLength: Int,
    _ value: UnsafePointer<CChar>?,
    _ valueLength: Int
) -> MHD_Result {
    guard let head = unsafe head else { return .NO }
    unsafe head.assumingMemoryBound(to: HeadReader.self).pointee.add(
        name: UnsafeRawBufferPointer(start: name, count: nameLength),
        value: UnsafeRawBufferPointer(start: value, count: valueLength)
    )
    return .YES
}
