import Foundation
import HTTPClient
import Logging
import ToastCore
import ToastHub

/// Assembles webhooks: the dispatcher, and the libcurl sender.
struct Webhooks: Sendable {
    private let dispatcher: WebhookDispatcher
    private let sender: CurlWebhookSender

    /// How long a stop waits for running deliveries; those that are cut off are sent again after the next start.
    private static let patience = Duration.seconds(5)

    init(_ hub: Hub, _ clock: HubClock, _ settings: ServerSettings, _ logger: Logger) throws(LibcurlError) {
        self.sender = try CurlWebhookSender(policy: AddressPolicy(allowing: settings.webhookAllow))
        self.dispatcher = WebhookDispatcher(
            hub: hub,
            sender: self.sender,
            schedule: RetrySchedule(first: Interval(seconds: settings.webhookRetrySeconds)),
            clock: ServiceClock(clock: clock)
        ) { report in
            logger.log(level: report.isSerious ? .warning : .info, "\(report)")
        }
    }

    /// Sends until ``stop()``, and returns when no delivery is running.
    func run() async {
        await self.dispatcher.run()
        await self.sender.close()
    }

    /// Starts no new deliveries.
    func stop() async {
        await self.dispatcher.stop()
    }

    /// Cuts off running deliveries after a while, unless it is cancelled before.
    func cutOff() async {
        guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
        await self.sender.close()
    }
}

/// The hub's clock, and the wall clock for timestamps that receivers check.
private struct ServiceClock: DispatchClock {
    let clock: HubClock

    var now: Instant { self.clock.now }

    var unixTime: Int64 { Int64(Date().timeIntervalSince1970) }

    func sleep(until instant: Instant) async throws {
        try await Task.sleep(for: .nanoseconds((instant - self.now).nanoseconds))
    }
}
