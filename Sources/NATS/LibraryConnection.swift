import CNATS
import Glibc
import Synchronization

/// Receives the messages of one subscription from a thread of the library.
final class MessageSink: Sendable {
    let receive: @Sendable (NATSMessage) -> Void
    let received = UsedMessages()

    init(_ receive: @escaping @Sendable (NATSMessage) -> Void) {
        self.receive = receive
    }
}

/// What the library tells of a connection.
enum LibraryEvent: Sendable {
    case disconnected
    case reconnected
    case closed
    case problem(String)
}

/// A subscription as the library has it.
///
/// `@unchecked Sendable` is right because nothing reads the pointer but ``LibraryConnection``, on its one thread.
@safe final class LibrarySubscription: @unchecked Sendable {
    fileprivate let subscription: OpaquePointer

    fileprivate init(_ subscription: OpaquePointer) {
        unsafe self.subscription = subscription
    }
}

/// A connection as the library has it: owned, until ``close()``.
///
/// `@unchecked Sendable` is right because only jobs of one event loop, ``NATSConnection``'s own, call its methods, so
/// they never run at the same time. They may block, because the library holds its lock while it connects again. So
/// this loop has no urgent work: it ends requests that have timed out, and delivers messages to subscriptions without
/// a loop.
///
/// The library's callbacks hold ``NATSConnection`` and ``MessageSink``, never this object.
@safe final class LibraryConnection: @unchecked Sendable {
    private let connection: OpaquePointer
    private let socket: LibrarySocket
    private let sent = UsedMessages()
    /// The subscriptions that are not freed yet.
    private var subscriptions: [ObjectIdentifier: LibrarySubscription] = [:]

    /// How many connections the process has; the library is closed with the last one.
    private static let count = Mutex(0)

    /// Connects, which blocks; the library holds the owner until it has told it that the connection is closed.
    init(_ owner: NATSConnection, _ socket: LibrarySocket) throws(NATSError) {
        try Self.openLibrary()
        self.socket = socket
        do throws(NATSError) {
            unsafe self.connection = try Self.connect(owner, socket)
        } catch {
            Self.closeLibrary()
            throw error
        }
    }

    /// The most bytes that the server accepts in one message.
    var maximumPayload: Int { Int(clamping: unsafe natsConnection_GetMaxPayload(self.connection)) }

    /// Reads what has arrived, once.
    func receive() { unsafe natsConnection_ProcessReadEvent(self.connection) }

    /// Writes what ``publish(_:)`` and the library itself have put in the buffer, as far as the socket takes it.
    func flush() {
        if self.socket.wantsToWrite { unsafe natsConnection_ProcessWriteEvent(self.connection) }
        self.socket.settle()
    }

    /// How many bytes wait for a socket that is full.
    var buffered: Int {
        // Asks the library only if something waits, because the call blocks while the library reconnects.
        self.socket.wantsToWrite ? max(0, Int(unsafe natsConnection_Buffered(self.connection))) : 0
    }

    /// Puts a message in the buffer that ``flush()`` writes.
    func publish(_ message: NATSMessage) throws(NATSError) {
        var made: OpaquePointer?
        var status = unsafe message.body.withUnsafeBytes { body in
            unsafe natsMsg_Create(
                &made,
                message.subject,
                message.reply,
                body.baseAddress?.assumingMemoryBound(to: CChar.self),
                CInt(clamping: body.count)
            )
        }
        defer { if let made = unsafe made { unsafe self.sent.add(made) } }
        for field in message.headers.fields where status == NATS_OK {
            status = unsafe natsMsgHeader_Set(made, field.name, field.value)
        }
        guard status == NATS_OK else { throw .invalid(Self.text(of: status)) }
        status = unsafe natsConnection_PublishMsg(self.connection, made)
        switch status {
        case NATS_OK: return
        case NATS_MAX_PAYLOAD: throw .tooLarge(limit: self.maximumPayload)
        case NATS_CONNECTION_CLOSED: throw .closed
        case NATS_INSUFFICIENT_BUFFER, NATS_CONNECTION_DISCONNECTED, NATS_DRAINING: throw .notConnected
        // A part may have been written, or the library may write the rest once it is connected again.
        default: throw .connectionLost
        }
    }

    /// Subscribes; the library holds the sink until the subscription has ended.
    func subscribe(_ subject: String, _ sink: MessageSink) throws(NATSError) -> LibrarySubscription {
        let context = unsafe Unmanaged.passRetained(sink)
        var made: OpaquePointer?
        var status = unsafe natsConnection_Subscribe(
            &made,
            self.connection,
            subject,
            onNATSMessage,
            context.toOpaque()
        )
        guard status == NATS_OK, let subscription = unsafe made else {
            unsafe context.release()
            throw status == NATS_CONNECTION_CLOSED ? .closed : .invalid(Self.text(of: status))
        }
        status = unsafe natsSubscription_SetOnCompleteCB(subscription, onNATSSubscriptionEnd, context.toOpaque())
        // No limit here: the callback passes each message on at once, so this queue stays short. The number of
        // requests is bounded, and each subscription has a bounded queue of its own.
        _ = unsafe natsSubscription_SetPendingLimits(subscription, -1, -1)
        let own = unsafe LibrarySubscription(subscription)
        self.subscriptions[ObjectIdentifier(own)] = own
        return own
    }

    /// Ends a subscription; the library then releases its sink.
    func unsubscribe(_ subscription: LibrarySubscription) {
        guard self.subscriptions.removeValue(forKey: ObjectIdentifier(subscription)) != nil else { return }
        _ = unsafe natsSubscription_Unsubscribe(subscription.subscription)
        unsafe natsSubscription_Destroy(subscription.subscription)
    }

    /// Sends what is still in buffers, for half a second at most, closes the connection and frees it.
    ///
    /// The last connection of a process closes the library too: its threads have ended when this returns.
    func close() {
        self.flushWhole(within: .milliseconds(500))
        self.sent.free()
        unsafe natsConnection_Close(self.connection)
        for subscription in self.subscriptions.values {
            unsafe natsSubscription_Destroy(subscription.subscription)
        }
        self.subscriptions = [:]
        unsafe natsConnection_Destroy(self.connection)
        Self.closeLibrary()
    }

    /// Writes all of the buffer, and waits for a full socket if need be.
    private func flushWhole(within time: Duration) {
        self.flush()
        let deadline = ContinuousClock.now + time
        while self.socket.wantsToWrite, let descriptor = self.socket.descriptor {
            let rest = CInt((deadline - ContinuousClock.now) / .milliseconds(1))
            var watch = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard rest > 0, unsafe poll(&watch, 1, rest) > 0 else { return }
            self.flush()
        }
    }

    /// The library's words for a status.
    static func text(of status: natsStatus) -> String {
        guard let text = unsafe natsStatus_GetText(status) else { return "status \(status.rawValue)" }
        return unsafe String(cString: text)
    }

    // MARK: The library

    private static func openLibrary() throws(NATSError) {
        let status = Self.count.withLock { count in
            let status = count == 0 ? nats_Open(-1) : NATS_OK
            if status == NATS_OK { count += 1 }
            return status
        }
        guard status == NATS_OK else { throw .cannotConnect(Self.text(of: status)) }
    }

    private static func closeLibrary() {
        // This thread's own memory first: it holds a reference to the library.
        nats_ReleaseThreadMemory()
        Self.count.withLock { count in
            count -= 1
            // Under the lock, because the library must not be opened meanwhile.
            if count == 0 { _ = nats_CloseAndWait(10_000) }
        }
    }

    // MARK: Connecting

    private static func connect(
        _ owner: NATSConnection,
        _ socket: LibrarySocket
    ) throws(NATSError) -> OpaquePointer {
        var made: OpaquePointer?
        guard unsafe natsOptions_Create(&made) == NATS_OK, let settings = unsafe made else {
            throw .cannotConnect("out of memory")
        }
        defer { unsafe natsOptions_Destroy(settings) }
        try unsafe Self.apply(owner.options, to: settings)

        // Released by the callback of the closed connection, or below if there is none.
        let context = unsafe Unmanaged.passRetained(owner)
        let own = unsafe context.toOpaque()
        unsafe natsOptions_SetDisconnectedCB(settings, onNATSDisconnected, own)
        unsafe natsOptions_SetReconnectedCB(settings, onNATSReconnected, own)
        unsafe natsOptions_SetClosedCB(settings, onNATSClosed, own)
        unsafe natsOptions_SetErrorHandler(settings, onNATSError, own)
        unsafe natsOptions_SetCustomReconnectDelay(settings, onNATSReconnectDelay, own)
        var status = unsafe natsOptions_SetEventLoop(
            settings,
            // Not retained: `LibraryConnection` keeps it, because the library detaches it after the closed callback.
            Unmanaged.passUnretained(socket).toOpaque(),
            onNATSAttach,
            onNATSWatchReading,
            onNATSWatchWriting,
            onNATSDetach
        )

        var connection: OpaquePointer?
        if status == NATS_OK { status = unsafe natsConnection_Connect(&connection, settings) }
        guard status == NATS_OK, let connection = unsafe connection else {
            unsafe context.release()
            let detail = unsafe nats_GetLastError(nil).map { unsafe String(cString: $0) } ?? ""
            throw .cannotConnect(Self.text(of: status) + (detail.isEmpty ? "" : " (\(detail))"))
        }
        return unsafe connection
    }

    private static func apply(_ options: ConnectionOptions, to settings: OpaquePointer) throws(NATSError) {
        guard !options.servers.isEmpty else { throw .invalid("no server is named") }
        for server in options.servers where server.utf8.contains(where: { $0 <= 0x20 }) {
            throw .invalid("the server address \"\(server)\"")
        }
        try Self.check("the server addresses", unsafe Self.setServers(options.servers, settings))
        try Self.check("the name", unsafe natsOptions_SetName(settings, options.name))
        if let file = options.credentialsFile {
            let status = unsafe natsOptions_SetUserCredentialsFromFiles(settings, file, nil)
            try Self.check("the credentials file", status)
        }
        // The library does not look at the scheme of an address.
        if options.requiresTLS { try Self.check("TLS", unsafe natsOptions_SetSecure(settings, true)) }
        if let file = options.authoritiesFile {
            let status = unsafe natsOptions_LoadCATrustedCertificates(settings, file)
            try Self.check("the file of authorities", status)
        }
        if let certificate = options.certificateFile, let key = options.keyFile {
            let status = unsafe natsOptions_LoadCertificatesChain(settings, certificate, key)
            try Self.check("the certificate or its key", status)
        }
        unsafe natsOptions_SetTimeout(settings, options.connectTimeout.milliseconds)
        unsafe natsOptions_SetPingInterval(settings, options.pingInterval.milliseconds)
        unsafe natsOptions_SetMaxPingsOut(settings, 2)
        unsafe natsOptions_SetAllowReconnect(settings, true)
        unsafe natsOptions_SetMaxReconnect(settings, -1)
        // The smallest, because a request fails at once while there is no connection.
        unsafe natsOptions_SetReconnectBufSize(settings, 1)
        // Otherwise a thread of the library asks for the write, a millisecond later.
        unsafe natsOptions_SetSendAsap(settings, true)
        // One thread for all subscriptions: its work is to copy messages.
        unsafe natsOptions_UseGlobalMessageDelivery(settings, true)
    }

    private static func setServers(_ servers: [String], _ settings: OpaquePointer) -> natsStatus {
        // The library copies them.
        var pointers = unsafe servers.map { unsafe UnsafePointer(strdup($0)) }
        defer { unsafe pointers.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
        return unsafe natsOptions_SetServers(settings, &pointers, CInt(pointers.count))
    }

    private static func check(_ what: String, _ status: natsStatus) throws(NATSError) {
        guard status != NATS_OK else { return }
        let detail = unsafe nats_GetLastError(nil).map { unsafe String(cString: $0) } ?? ""
        throw .invalid("\(what): \(detail.isEmpty ? Self.text(of: status) : detail)")
    }
}
