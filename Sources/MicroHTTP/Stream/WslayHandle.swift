import CWslay

/// A libwslay context of a server: owned, confined to the loop that reads the socket.
@safe final class WslayHandle {
    private var context: wslay_event_context_ptr?
    /// Bytes of the peer that are not parsed yet.
    fileprivate(set) var input: ArraySlice<UInt8> = []
    fileprivate(set) var result = WebSocketReader.Result()
    private var fed = 0
    private var framed = 0
    private var isInFrame = false
    private var isInMessage = false
    private var fragments = 0
    private let limits: WebSocketReader.Limits

    /// Nil when memory is short.
    init?(limits: WebSocketReader.Limits) {
        self.limits = limits
        var callbacks = unsafe wslay_event_callbacks(
            recv_callback: wslayReceive,
            send_callback: wslaySend,
            genmask_callback: nil,
            on_frame_recv_start_callback: wslayFrameStarted,
            on_frame_recv_chunk_callback: nil,
            on_frame_recv_end_callback: wslayFrameEnded,
            on_msg_recv_callback: wslayMessage
        )
        // The callbacks run only inside `feed`, whose caller holds this object: C needs no reference of its own.
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard unsafe wslay_event_context_server_init(&self.context, &callbacks, own) == 0 else { return nil }
        unsafe wslay_event_config_set_max_recv_msg_length(self.context, UInt64(limits.message))
    }

    deinit {
        unsafe wslay_event_context_free(self.context)
    }

    /// Whether no message is incomplete, so that this object can be freed.
    var isBetweenMessages: Bool { self.fed == self.framed && !self.isInFrame && !self.isInMessage }

    func feed(_ bytes: ArraySlice<UInt8>) -> WebSocketReader.Result {
        self.fed += bytes.count
        self.input = bytes
        let isHealthy = unsafe wslay_event_recv(self.context) == 0
        // Even an empty slice would keep the caller's buffer alive, and have it copied before the next read.
        self.input = []
        // Pongs, the answer to a close, and the close after an error were queued meanwhile.
        let hasAnswered = unsafe wslay_event_send(self.context) == 0
        let hasLeft = self.result.isOver
        self.result.isOver =
            unsafe !isHealthy || !hasAnswered || hasLeft || wslay_event_get_read_enabled(self.context) == 0
        self.result.breaksRules = self.result.isOver && !hasLeft
        defer { self.result = WebSocketReader.Result() }
        return self.result
    }

    /// A frame's head was read.
    ///
    /// Counts the length of the head and the payload (RFC 6455 §5.2).
    func noteFrame(payload: Int, isFinal: Bool, isControl: Bool) {
        self.isInFrame = true
        self.framed += 2 + (payload > 0xFFFF ? 8 : payload > 125 ? 2 : 0) + 4 + payload
        guard !isControl else { return }
        self.fragments = self.isInMessage ? self.fragments + 1 : 1
        self.isInMessage = !isFinal
        // §7.4.1: "1008 … a message that violates its policy".
        if self.fragments > self.limits.fragments { self.close(WSLAY_CODE_POLICY_VIOLATION) }
    }

    /// Sends the closing frame, and neither reads nor sends anything after it.
    private func close(_ code: wslay_status_code) {
        _ = unsafe wslay_event_queue_close(self.context, UInt16(code.rawValue), nil, 0)
        _ = unsafe wslay_event_shutdown_read(self.context)
    }

    func noteFrameEnd() {
        self.isInFrame = false
    }

    func take(upTo count: Int) -> ArraySlice<UInt8> {
        let part = self.input.prefix(count)
        self.input = self.input.dropFirst(count)
        return part
    }

    func noteOutput(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.result.output.append(contentsOf: bytes)
    }

    func noteMessage(opcode: UInt8, _ bytes: UnsafeRawBufferPointer) {
        switch UInt32(opcode) {
        case WSLAY_TEXT_FRAME.rawValue:
            unsafe self.result.messages.append(.init(isText: true, bytes: Array(bytes)))
        case WSLAY_BINARY_FRAME.rawValue where self.limits.takesBinary:
            unsafe self.result.messages.append(.init(isText: false, bytes: Array(bytes)))
        case WSLAY_BINARY_FRAME.rawValue:
            // §7.4.1: "1003 … an endpoint that understands only text data".
            self.close(WSLAY_CODE_UNSUPPORTED_DATA)
        case WSLAY_CONNECTION_CLOSE.rawValue:
            self.result.isOver = true
        default:
            break
        }
    }
}
