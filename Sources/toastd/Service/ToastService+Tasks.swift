import HTTPClient
import Logging
import MicroHTTP
import ServiceLifecycle
import ToastAccess
import ToastCluster
import ToastCore
import ToastHub
import ToastServer

// What the service does beside serving: it sends webhooks, and removes old events from time to time.

extension ToastService {
    /// How long after a failure of the store the deadlines of all channels are looked for again.
    private static let wakingInterval = Duration.seconds(60)

    /// The pause between two attempts to put hooks back.
    private static let restoringInterval = Duration.seconds(5)

    /// How often old events are removed.
    private static let pruneInterval = Duration.seconds(60)

    /// How long a stop waits for running deliveries; those that are cut off are sent again after the next start.
    private static let deliveryPatience = Duration.seconds(5)

    /// The dispatcher of the hub's webhooks.
    func makeDispatcher(_ hub: Hub, _ sender: CurlWebhookSender) -> WebhookDispatcher {
        WebhookDispatcher(
            hub: hub,
            sender: sender,
            schedule: RetrySchedule(first: Interval(seconds: self.settings.webhookRetrySeconds)),
            clock: self.clock
        ) { [logger] report in
            logger.log(level: report.isSerious ? .warning : .info, "\(report)")
        }
    }

    /// Cuts off running deliveries after a while, unless it is cancelled before.
    func cutOff(_ sender: CurlWebhookSender) async {
        guard (try? await Task.sleep(for: Self.deliveryPatience)) != nil else { return }
        await sender.close()
    }

    /// Stays a node of the cluster, if there is one, until the task is cancelled.
    func join(_ node: ClusterNode?, _ hub: Hub) async {
        guard let cluster = self.cluster, let node else { return }
        await cluster.run(node, hub)
    }

    /// Does what a running service does beside serving, until it is told to stop.
    func runUpkeep(_ hub: Hub, _ fanouts: [Fanout], _ authenticator: Authenticator) async {
        await cancelWhenGracefulShutdown {
            async let waking: Void = self.wakeChannels(hub)
            async let watching: Void = self.watchPages()
            async let ending: Void = self.endStreamsOfEndedSessions(fanouts, authenticator)
            async let restoring: Void = self.restoreHooks(hub.hooks)
            await self.prune(hub)
            await waking
            await watching
            await ending
            await restoring
        }
    }

    /// Ends the streams of sessions that are ended before their time, on this node or another one.
    ///
    /// At most once a second: each time all streams are looked at, however many sessions a client opens and ends.
    private func endStreamsOfEndedSessions(_ fanouts: [Fanout], _ authenticator: Authenticator) async {
        for await _ in authenticator.sessionEndings {
            await authenticator.endStreams(of: fanouts)
            // The sleep only fails by cancellation, when the service is told to stop.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Puts back the hooks of channels that could not be deleted, when that failed at first.
    private func restoreHooks(_ hooks: Hooks) async {
        for await _ in hooks.failedRestorations {
            // The sleep only fails by cancellation, when the service is told to stop.
            while (try? await Task.sleep(for: Self.restoringInterval)) != nil {
                do throws(Hooks.ChangeError) {
                    try await hooks.retryRestoration()
                    self.logger.notice("all hooks are put back")
                    break
                } catch {
                    self.logger.debug("hooks are still not put back", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    /// Runs the deadlines of all channels, also of those without clients; in a cluster, nodes do it for their own.
    private func wakeChannels(_ hub: Hub) async {
        guard self.cluster == nil else { return }
        while !Task.isCancelled {
            do throws(StoreError) {
                return try await hub.wakeChannels()
            } catch {
                // A stop cuts it off.
                if !Task.isCancelled {
                    self.logger.warning("time may stand still in some channels", metadata: ["error": "\(error)"])
                }
            }
            // The sleep only fails by cancellation, when the service is told to stop.
            try? await Task.sleep(for: Self.wakingInterval)
        }
    }

    /// Reloads changed files of the pages.
    private func watchPages() async {
        var last: PagesError?
        while !Task.isCancelled {
            // The sleep only fails by cancellation, when the service is told to stop.
            try? await Task.sleep(for: .seconds(self.settings.publicInterval))
            do throws(PagesError) {
                try await self.pages.refresh()
                last = nil
            } catch {
                if error != last {
                    self.logger.warning("the pages stay as they were", metadata: ["reason": "\(error)"])
                }
                last = error
            }
        }
    }

    /// Removes old events and empty channels from time to time.
    private func prune(_ hub: Hub) async {
        let age = self.settings.retention.age
        var place: ChannelName?
        while !Task.isCancelled {
            do throws(StoreError) {
                let now = self.clock.now
                try await self.store.prune(at: now)
                place = try await hub.forgetVacantChannels(after: place, quietSince: now + (.zero - age))
            } catch {
                // A stop cuts it off.
                if !Task.isCancelled {
                    self.logger.warning("old events could not be removed", metadata: ["error": "\(error)"])
                }
            }
            // The sleep only fails by cancellation, when the service is told to stop.
            try? await Task.sleep(for: Self.pruneInterval)
        }
    }
}

extension Authenticator {
    /// Ends the streams of callers who are no longer valid, and opens none for them from now on.
    func endStreams(of fanouts: [Fanout]) async {
        for fanout in fanouts { await fanout.endStreams(unless: { self.isValid($0) }) }
    }
}
