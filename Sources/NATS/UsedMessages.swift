import CNATS

/// Collects messages of the library after their use, and frees many at a time.
///
/// The library frees them on a thread of its own. To wake it for each message costs a tenth of a publish.
///
/// `@unchecked Sendable` is right because each object belongs to one thread at a time: the sent messages to the loop of
/// the connection, the received ones of a subscription to the thread on which the library delivers them, one by one.
@safe final class UsedMessages: @unchecked Sendable {
    private var messages: [OpaquePointer] = unsafe []
    private var bytes = 0

    /// The most messages and bytes that wait.
    private static let (longest, largest) = (64, 64 << 10)

    deinit { self.free() }

    /// Adds a message, and frees all when there are many.
    func add(_ message: OpaquePointer) {
        unsafe self.messages.append(message)
        self.bytes += unsafe Int(natsMsg_GetDataLength(message))
        if unsafe self.messages.count >= Self.longest || self.bytes >= Self.largest { self.free() }
    }

    /// Frees all; the library must be open.
    func free() {
        unsafe self.messages.forEach { unsafe natsMsg_Destroy($0) }
        unsafe self.messages.removeAll(keepingCapacity: true)
        self.bytes = 0
    }
}
