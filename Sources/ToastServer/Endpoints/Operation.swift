import MicroHTTP
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /livez`: the process answers.
    func liveness(_ request: Request) async throws(Problem) -> Reply {
        .response(Self.ok)
    }

    /// Answers `GET /readyz`: the store answers and the server stays, so requests will be served.
    func readiness(_ request: Request) async throws(Problem) -> Reply {
        guard !self.hub.isDraining else { throw Problem(.shuttingDown) }
        do throws(StoreError) {
            _ = try await self.hub.store.channels(after: nil, limit: 1)
        } catch {
            throw Problem(from: ChannelError.unavailable(error))
        }
        return .response(Self.ok)
    }

    /// Answers `GET /metrics`: counters in Prometheus' text format 0.0.4.
    func metrics(_ request: Request) async throws(Problem) -> Reply {
        var streams: [Transport: Int] = [:]
        var slow = 0
        for fanout in self.fanouts {
            streams.merge(await fanout.countsByTransport, uniquingKeysWith: +)
            slow += await fanout.slowStreams
        }
        var text = MetricsText()
        text.family("toastd_streams", "gauge", "Streams that are open now, by transport.")
        for transport in Transport.allCases {
            text.sample("toastd_streams", ["transport": transport.rawValue], streams[transport] ?? 0)
        }
        text.family("toastd_slow_consumer_disconnects_total", "counter", "Streams ended because they were too slow.")
        text.sample("toastd_slow_consumer_disconnects_total", [:], slow)
        text.family("toastd_channels_loaded", "gauge", "Channels that are in memory now.")
        text.sample("toastd_channels_loaded", [:], await self.hub.loadedChannels)
        text.family("toastd_events_total", "counter", "Events stored since the start, by type.")
        for (type, count) in self.hub.counters.events {
            text.sample("toastd_events_total", ["type": type.rawValue], count)
        }
        text.family("toastd_toasts_dismissed_total", "counter", "Toasts dismissed since the start, by reason.")
        for (reason, count) in self.hub.counters.dismissals {
            text.sample("toastd_toasts_dismissed_total", ["reason": reason.rawValue], count)
        }
        text.family("toastd_problems_total", "counter", "Problems that requests were answered with, by type.")
        for (type, count) in self.book.problems.all {
            text.sample("toastd_problems_total", ["type": type.rawValue], count)
        }
        self.writeWebhooks(to: &text)
        let response = Response(status: 200, body: Array(text.text.utf8))
            .adding("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            .adding("Cache-Control", "no-store")
        return .response(response)
    }

    private func writeWebhooks(to text: inout MetricsText) {
        let (counters, outbox) = (self.hub.counters.webhooks, self.hub.store.outbox)
        text.family("toastd_webhook_deliveries_waiting", "gauge", "Deliveries to webhooks that wait now.")
        text.sample("toastd_webhook_deliveries_waiting", [:], outbox.waiting)
        text.family("toastd_webhook_delivered_total", "counter", "Deliveries that webhooks took.")
        text.sample("toastd_webhook_delivered_total", [:], counters.delivered)
        text.family("toastd_webhook_failed_tries_total", "counter", "Tries of deliveries that failed.")
        text.sample("toastd_webhook_failed_tries_total", [:], counters.failedTries)
        text.family("toastd_webhook_given_up_total", "counter", "Deliveries that are not tried any more.")
        text.sample("toastd_webhook_given_up_total", [:], counters.givenUp + outbox.displaced)
    }

    /// Answers `GET /openapi.yaml`.
    func description(_ request: Request) async throws(Problem) -> Reply {
        guard let file = self.pages.description else { throw Problem(.notFound) }
        return .response(self.pages.response(to: request, with: file))
    }

    private static let ok = Response.json { writer in writer.object { writer in writer.member("status", "ok") } }
}

/// Writes Prometheus' text format.
private struct MetricsText {
    private(set) var text = ""

    mutating func family(_ name: String, _ type: String, _ help: String) {
        self.text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: Int) {
        let list = labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
        self.text += "\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
    }
}
