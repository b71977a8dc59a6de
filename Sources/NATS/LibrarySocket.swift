import EventLoop
import Synchronization

/// The library's socket, as the connection's event loop watches it.
///
/// The library has no thread that reads, and does not write each message by itself: it says what it waits for, on any
/// of its threads, and ``LibraryConnection`` reads and writes for it, on the loop. So what a turn sends is one system
/// call.
final class LibrarySocket: Watcher {
    private struct State {
        /// The socket, as long as there is a connection.
        var descriptor: CInt?
        /// Counts connections: the sockets of two may have the same descriptor.
        var connection = 0
        /// Whether the library has something to write.
        var wantsToWrite = false
    }

    /// What the loop watches; only the loop's thread uses it.
    private struct Watched {
        var watch: EventLoop.Watch
        var connection: Int
        var readiness: Readiness
    }

    private let loop: EventLoop
    private let state = Mutex(State())
    private let watched = Mutex<Watched?>(nil)
    /// Called on the loop when there is something to read (true), or only room for what the library writes (false).
    private let onReady: @Sendable (Bool) -> Void

    /// A socket that is not open yet.
    init(on loop: EventLoop, _ onReady: @escaping @Sendable (Bool) -> Void) {
        self.loop = loop
        self.onReady = onReady
    }

    var wantsToWrite: Bool { self.state.withLock { $0.wantsToWrite } }

    var descriptor: CInt? { self.state.withLock { $0.descriptor } }

    // MARK: What the library says; it may hold its lock

    /// The library has connected, for the first time or again.
    func open(_ descriptor: CInt) {
        self.state.withLock { state in
            state.descriptor = descriptor
            state.connection += 1
        }
        self.settleOnLoop()
    }

    /// The connection is lost or closed.
    func close() {
        self.state.withLock { state in
            state.descriptor = nil
            state.wantsToWrite = false
        }
        self.settleOnLoop()
    }

    func setWriting(_ wantsToWrite: Bool) {
        self.state.withLock { $0.wantsToWrite = wantsToWrite }
        // On the loop, the code that made the library write flushes at the end.
        if wantsToWrite, !self.loop.isCurrent { self.loop.execute { self.onReady(false) } }
    }

    // MARK: The loop

    private func settleOnLoop() {
        if self.loop.isCurrent { self.settle() } else { self.loop.execute { self.settle() } }
    }

    /// Watches what the library waits for now.
    func settle() {
        let state = self.state.withLock { $0 }
        let wanted: Readiness = state.wantsToWrite ? [.readable, .writable] : .readable
        var watched = self.watched.withLock { $0 }
        if let old = watched, old.connection != state.connection || state.descriptor == nil {
            self.loop.unwatch(old.watch)
            watched = nil
        }
        if let descriptor = state.descriptor {
            if let old = watched {
                if old.readiness != wanted { try? self.loop.rewatch(old.watch, for: wanted) }
                watched?.readiness = wanted
            } else if let watch = try? self.loop.watch(descriptor, for: wanted, by: self) {
                watched = Watched(watch: watch, connection: state.connection, readiness: wanted)
            }
            // A socket that cannot be watched reads no PONG, so the library takes it for lost after its pings.
        }
        self.watched.withLock { $0 = watched }
    }

    /// The loop's call when the socket is ready.
    func ready(_ readiness: Readiness, token: Int) { self.onReady(readiness != .writable) }
}
