import Glibc
import Logging
import ServiceLifecycle
import ToastServer
import UnixSignals

/// Stops the services at the first signal; ends the process at the second one, or when the stop takes too long.
///
/// Nothing acknowledged is lost by that: an answer is sent only after its events are stored.
struct ShutdownTimeout: Sendable {
    let logger: Logger
    let sink: LogSink
    let progress: StopProgress

    /// The longest orderly shutdown; supervisors kill after 30 seconds or later.
    private static let patience = Duration.seconds(28)

    /// Waits for signals until the task is cancelled.
    func run(_ signals: UnixSignalsSequence, stopping services: ServiceGroup) async {
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
                // A group that does not run yet stops its services as soon as it does.
                await services.triggerGracefulShutdown()
            }
            group.cancelAll()
        }
    }

    private func exit(_ reason: String, _ status: CInt) {
        self.logger.error("ending at once", metadata: ["reason": "\(reason)"])
        self.sink.close()
        _exit(status)
    }
}
