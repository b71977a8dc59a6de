import Courier
import Dispatch
import Glibc

/// Ends what a caller does when the user has enough (SIGINT, SIGTERM) or is gone (SIGHUP), so that the command can put things
/// in order.
///
/// A signal that was ignored from the beginning stays so: that is how shells start what runs in the background, and nohup.
final class Interrupts {
    private let sources: [any DispatchSourceSignal]

    convenience init(of caller: CurlCaller) {
        self.init { _ in caller.interrupt() }
    }

    /// Does something, on a thread of its own, with the number of each signal that comes.
    init(_ handle: @escaping @Sendable (CInt) -> Void) {
        let queue = DispatchQueue(label: "signals")
        self.sources = [SIGINT, SIGTERM, SIGHUP].filter { !SystemCalls.isIgnored($0) }.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let isListening = DispatchSemaphore(value: 0)
            source.setEventHandler { handle(number) }
            // Until then the signal would end the process on the spot.
            source.setRegistrationHandler { isListening.signal() }
            source.activate()
            isListening.wait()
            return source
        }
    }

    /// Lets signals do again what they do by themselves; done by the end of the object, too.
    func stop() {
        for source in self.sources { source.cancel() }
    }

    deinit {
        self.stop()
    }
}
