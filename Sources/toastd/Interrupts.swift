import Courier
import Dispatch
import Glibc

/// Ends what a caller does when the user has enough (SIGINT, SIGTERM), so that the command can put things in order.
final class Interrupts {
    private let sources: [any DispatchSourceSignal]

    init(of caller: CurlCaller) {
        let queue = DispatchQueue(label: "signals")
        self.sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            let isListening = DispatchSemaphore(value: 0)
            source.setEventHandler { caller.interrupt() }
            // Until then the signal would end the process on the spot.
            source.setRegistrationHandler { isListening.signal() }
            source.activate()
            isListening.wait()
            return source
        }
    }

    deinit {
        for source in self.sources { source.cancel() }
    }
}
