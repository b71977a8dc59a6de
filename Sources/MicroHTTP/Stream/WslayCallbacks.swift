// What libwslay calls, always from within `WslayHandle.feed`. Each function only unwraps its arguments.

import CWslay

/// Feeds `recv_callback`: passes bytes of the peer.
func wslayReceive(
    _ context: wslay_event_context_ptr?,
    _ buffer: UnsafeMutablePointer<UInt8>?,
    _ length: Int,
    _ flags: CInt,
    _ own: UnsafeMutableRawPointer?
) -> Int {
    guard let handle = unsafe wslayHandle(own), let buffer = unsafe buffer else { return -1 }
    let part = handle.take(upTo: length)
    guard !part.isEmpty else {
        unsafe wslay_event_set_error(context, CInt(WSLAY_ERR_WOULDBLOCK.rawValue))
        return -1
    }
    unsafe UnsafeMutableRawBufferPointer(start: buffer, count: length).copyBytes(from: part)
    return part.count
}

/// Feeds `send_callback`: collects a control frame for the peer.
func wslaySend(
    _ context: wslay_event_context_ptr?,
    _ data: UnsafePointer<UInt8>?,
    _ length: Int,
    _ flags: CInt,
    _ own: UnsafeMutableRawPointer?
) -> Int {
    guard let handle = unsafe wslayHandle(own) else { return -1 }
    unsafe handle.noteOutput(UnsafeRawBufferPointer(start: data, count: length))
    return length
}

/// Feeds `on_frame_recv_start_callback`.
func wslayFrameStarted(
    _ context: wslay_event_context_ptr?,
    _ argument: UnsafePointer<wslay_event_on_frame_recv_start_arg>?,
    _ own: UnsafeMutableRawPointer?
) {
    guard let handle = unsafe wslayHandle(own), let frame = unsafe argument?.pointee else { return }
    // §5.5: "Control frames are identified by opcodes where the most significant bit of the opcode is 1."
    handle.noteFrame(payload: Int(frame.payload_length), isFinal: frame.fin != 0, isControl: frame.opcode & 0x8 != 0)
}

/// Feeds `on_frame_recv_end_callback`.
func wslayFrameEnded(_ context: wslay_event_context_ptr?, _ own: UnsafeMutableRawPointer?) {
    unsafe wslayHandle(own)?.noteFrameEnd()
}

/// Feeds `on_msg_recv_callback`: a message is complete.
func wslayMessage(
    _ context: wslay_event_context_ptr?,
    _ argument: UnsafePointer<wslay_event_on_msg_recv_arg>?,
    _ own: UnsafeMutableRawPointer?
) {
    guard let handle = unsafe wslayHandle(own), let message = unsafe argument?.pointee else { return }
    unsafe handle.noteMessage(
        opcode: message.opcode,
        UnsafeRawBufferPointer(start: message.msg, count: message.msg_length)
    )
}

private func wslayHandle(_ own: UnsafeMutableRawPointer?) -> WslayHandle? {
    guard let own = unsafe own else { return nil }
    return unsafe Unmanaged<WslayHandle>.fromOpaque(own).takeUnretainedValue()
}
