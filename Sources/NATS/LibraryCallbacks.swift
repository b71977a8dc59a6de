// What the library calls, on threads of its own. Each function unwraps its arguments, recovers its context, copies what
// it needs, and calls one method, which never blocks.

import CNATS
import Glibc

/// Feeds `natsConnection_Subscribe`: a message arrived.
func onNATSMessage(
    _ connection: OpaquePointer?,
    _ subscription: OpaquePointer?,
    _ message: OpaquePointer?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let message = unsafe message, let context = unsafe context else { return }
    let sink = unsafe Unmanaged<MessageSink>.fromOpaque(context).takeUnretainedValue()
    defer { unsafe sink.received.add(message) }
    guard let copy = unsafe NATSMessage(copying: message) else { return }
    sink.receive(copy)
}

/// Feeds `natsSubscription_SetOnCompleteCB`: no message comes any more, so the context is released.
func onNATSSubscriptionEnd(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<MessageSink>.fromOpaque(context).release()
}

/// Feeds `natsOptions_SetDisconnectedCB`.
func onNATSDisconnected(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    unsafe natsContext(context, NATSConnection.self)?.take(.disconnected)
}

/// Feeds `natsOptions_SetReconnectedCB`.
func onNATSReconnected(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    unsafe natsContext(context, NATSConnection.self)?.take(.reconnected)
}

/// Feeds `natsOptions_SetClosedCB`: the last call for a connection, so the context is released.
func onNATSClosed(_ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<NATSConnection>.fromOpaque(context).takeRetainedValue().take(.closed)
}

/// Feeds `natsOptions_SetErrorHandler`; without one the library writes to standard error.
func onNATSError(
    _ connection: OpaquePointer?,
    _ subscription: OpaquePointer?,
    _ status: natsStatus,
    _ context: UnsafeMutableRawPointer?
) {
    var text: UnsafePointer<CChar>?
    _ = unsafe natsConnection_GetLastError(connection, &text)
    let detail = unsafe text.map { unsafe String(cString: $0) } ?? ""
    let problem = LibraryConnection.text(of: status) + (detail.isEmpty ? "" : ": " + detail)
    unsafe natsContext(context, NATSConnection.self)?.take(.problem(problem))
}

/// Feeds `natsOptions_SetCustomReconnectDelay`: the pause in milliseconds before the servers are tried again.
func onNATSReconnectDelay(
    _ connection: OpaquePointer?,
    _ attempts: CInt,
    _ context: UnsafeMutableRawPointer?
) -> Int64 {
    unsafe natsContext(context, NATSConnection.self)?.pause(after: Int(attempts)) ?? 1000
}

/// Feeds `natsEvLoop_Attach`: the library has connected, for the first time or again.
func onNATSAttach(
    _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ context: UnsafeMutableRawPointer?,
    _ connection: OpaquePointer?,
    _ socket: natsSock
) -> natsStatus {
    unsafe data?.pointee = context
    unsafe natsContext(context, LibrarySocket.self)?.open(socket)
    return NATS_OK
}

/// Feeds `natsEvLoop_ReadAddRemove`: the library calls it only when a connection is lost.
func onNATSWatchReading(_ context: UnsafeMutableRawPointer?, _ isWanted: Bool) -> natsStatus {
    if !isWanted { unsafe natsContext(context, LibrarySocket.self)?.close() }
    return NATS_OK
}

/// Feeds `natsEvLoop_WriteAddRemove`: the buffer is no longer empty, or is empty.
func onNATSWatchWriting(_ context: UnsafeMutableRawPointer?, _ isWanted: Bool) -> natsStatus {
    unsafe natsContext(context, LibrarySocket.self)?.setWriting(isWanted)
    return NATS_OK
}

/// Feeds `natsEvLoop_Detach`: the connection is closed.
func onNATSDetach(_ context: UnsafeMutableRawPointer?) -> natsStatus {
    unsafe natsContext(context, LibrarySocket.self)?.close()
    return NATS_OK
}

private func natsContext<Context: AnyObject>(_ context: UnsafeMutableRawPointer?, _: Context.Type) -> Context? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
}

extension NATSMessage {
    /// Copies a message of the library; the original stays the caller's.
    init?(copying message: OpaquePointer) {
        guard let subject = unsafe natsMsg_GetSubject(message) else { return nil }
        unsafe self.init(subject: String(cString: subject))
        if let reply = unsafe natsMsg_GetReply(message) { unsafe self.reply = String(cString: reply) }
        let count = unsafe Int(natsMsg_GetDataLength(message))
        if count > 0, let bytes = unsafe natsMsg_GetData(message) {
            self.body = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        var keys: UnsafeMutablePointer<UnsafePointer<CChar>?>?
        var number: CInt = 0
        guard unsafe natsMsgHeader_Keys(message, &keys, &number) == NATS_OK, let keys = unsafe keys else { return }
        defer { unsafe free(keys) }
        for index in 0..<Int(number) {
            guard let key = unsafe keys[index] else { continue }
            var value: UnsafePointer<CChar>?
            guard unsafe natsMsgHeader_Get(message, key, &value) == NATS_OK, let value = unsafe value else { continue }
            unsafe self.headers.append(String(cString: key), String(cString: value))
        }
    }
}
