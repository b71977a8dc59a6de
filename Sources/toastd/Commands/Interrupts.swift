import Dispatch
import Glibc
import HTTPClient

/// Calls a handler when the user stops the command (SIGINT, SIGTERM) or leaves (SIGHUP), so that it can clean up.
///
/// A signal that was ignored at the start stays ignored, as for nohup and background jobs of shells.
final class Interrupts {
    private let queue = DispatchQueue(label: "signals")
    private let sources: [any DispatchSourceSignal]

    /// Interrupts a caller's request at each of the three signals.
    convenience init(of caller: BlockingClient) {
        self.init { _ in caller.interrupt() }
    }

    /// Calls `handle` on another thread with the number of each of the signals.
    init(of signals: [CInt] = [SIGINT, SIGTERM, SIGHUP], _ handle: @escaping @Sendable (CInt) -> Void) {
        self.sources = signals.filter { !Self.isIgnored($0) }.map { [queue] number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let isListening = DispatchSemaphore(value: 0)
            source.setEventHandler { handle(number) }
            // Until the handler is registered, the signal would end the process at once.
            source.setRegistrationHandler { isListening.signal() }
            source.activate()
            isListening.wait()
            return source
        }
    }

    /// Handles no further signal, and waits for a running handler; also done by `deinit`.
    ///
    /// A handler that ends the process thus decides the exit status, even if the command has finished meanwhile. The
    /// signals do not get their default effect back: on Linux, libdispatch keeps its own handler for them.
    func stop() {
        for source in self.sources { source.cancel() }
        self.queue.sync {}
    }

    deinit {
        self.stop()
    }

    /// Whether the process ignores a signal.
    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
