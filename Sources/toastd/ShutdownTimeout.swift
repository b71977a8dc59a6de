import Glibc
import Logging
import ServiceLifecycle
import ToastServer
import UnixSignals

/// Ends the process when it does not end by itself: at the second signal at once, after the first when its time is up.
///
/// Nothing that was acknowledged is lost by it: an answer leaves only after its events are stored.
struct ShutdownTimeout: Service {
    private let logger: Logger
    private let sink: LogSink

    /// How long an orderly end may take; supervisors kill after 30 seconds or later.
    private static let patience = Duration.seconds(28)

    init(_ logger: Logger, _ sink: LogSink) {
        self.logger = logger
        self.sink = sink
    }

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                var isAsked = false
                for await signal in signals {
                    if isAsked { self.exit("told twice to stop", 128 + signal.number) }
                    isAsked = true
                    group.addTask {
                        // The sleep is cut short when all has ended in order.
                        guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
                        self.exit("stopping takes too long", 1)
                    }
                }
                group.cancelAll()
            }
        }
    }

    private func exit(_ reason: String, _ status: CInt) {
        self.logger.error("ending at once", metadata: ["reason": "\(reason)"])
        self.sink.close()
        _exit(status)
    }
}

extension UnixSignal {
    fileprivate var number: CInt { self == .sigint ? SIGINT : SIGTERM }
}
