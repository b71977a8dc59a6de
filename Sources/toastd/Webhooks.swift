import Courier
import Foundation
import Logging
import ToastCore
import ToastHub

/// Webhooks put together: the dispatcher, and libcurl to send with.
struct Webhooks: Sendable {
    private let dispatcher: WebhookDispatcher
    private let poster: CurlSender

    /// How long a stop waits for deliveries under way; what is cut off then is sent again at the next start.
    private static let patience = Duration.seconds(5)

    init(_ hub: Hub, _ clock: HubClock, _ settings: ServerSettings, _ logger: Logger) throws {
        guard let poster = CurlSender(policy: AddressPolicy(allowing: settings.webhookAllow)) else {
            throw LibcurlError()
        }
        self.poster = poster
        self.dispatcher = WebhookDispatcher(
            hub: hub,
            poster: poster,
            schedule: RetrySchedule(first: Interval(seconds: settings.webhookRetrySeconds)),
            clock: ServiceClock(clock: clock)
        ) { report in
            logger.log(level: report.isSerious ? .warning : .info, "\(report)")
        }
    }

    /// Sends until ``stop()``, and returns when nothing is under way any more.
    func run() async {
        await self.dispatcher.run()
        await self.poster.close()
    }

    /// Sends nothing new from now on.
    func stop() async {
        await self.dispatcher.stop()
    }

    /// Cuts off what is still under way after a while, unless it is cancelled before.
    func cutOff() async {
        guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
        await self.poster.close()
    }
}

/// libcurl could not begin, for webhooks or for a command.
struct LibcurlError: Error, CustomStringConvertible {
    var description: String { "libcurl cannot begin: is there enough memory?" }
}

/// The hub's time, and the wall clock for those who compare it with theirs.
private struct ServiceClock: DispatchClock {
    let clock: HubClock

    var now: Instant { self.clock.now }

    var unixTime: Int64 { Int64(Date().timeIntervalSince1970) }

    func sleep(until instant: Instant) async throws {
        try await Task.sleep(for: .nanoseconds((instant - self.now).nanoseconds))
    }
}
