import Glibc
import Logging
import ServiceLifecycle
import ToastServer
import UnixSignals

/// Ends the process at the second signal, or when the shutdown after the first one takes too long.
///
/// Nothing acknowledged is lost by that: an answer is sent only after its events are stored.
struct ShutdownTimeout: Service {
    let logger: Logger
    let sink: LogSink
    let progress: StopProgress

    /// The longest orderly shutdown; supervisors kill after 30 seconds or later.
    private static let patience = Duration.seconds(28)

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                var isAsked = false
                for await signal in signals {
                    if isAsked { self.exit("told twice to stop", 128 + signal.rawValue) }
                    isAsked = true
                    group.addTask {
                        // The sleep is cancelled when the shutdown has finished.
                        guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
                        self.exit("stopping takes too long: it waits for \(self.progress.step.rawValue)", 1)
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
