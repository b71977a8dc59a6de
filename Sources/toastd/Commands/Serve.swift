import ArgumentParser
import Foundation
import Logging
import MicroHTTP
import ServiceLifecycle
import ToastServer
import ToastStore
import UnixSignals

/// `toastd serve`: the service itself, until SIGTERM or SIGINT.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the API and the viewer.")

    @OptionGroup
    var options: ServeOptions

    func run() async throws {
        let flags = self.options.flags
        let settings = try ServerSettings(flags)
        let sink = LogSink(format: settings.logFormat)
        // Writes out the last lines of the log.
        defer { sink.close() }
        LoggingSystem.bootstrap { SinkLogHandler(label: $0, level: settings.logLevel, sink: sink) }
        let logger = Logger(label: "toastd")
        let progress = StopProgress()
        // A store may take long to open, and process 1 of a container ignores a signal without a handler.
        let interrupts = Interrupts(of: [SIGINT, SIGTERM]) { number in
            sink.close()
            _exit(128 + number)
        }
        let service = try await ToastService(settings, logger, sink, progress) { try ServerSettings(flags) }
        // Trapped before `stop()`, so that there is no moment in which a signal is lost. The group does not trap them
        // itself: it would miss those that come before it runs.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        interrupts.stop()
        let group = ServiceGroup(services: [service], logger: logger)
        // Cancelled at the end of this function.
        async let _ = ShutdownTimeout(logger: logger, sink: sink, progress: progress).run(signals, stopping: group)
        try await group.run()
    }
}
