import EventLoop
import Metrics
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /metrics`.
    func metrics(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        await self.hub.measureQueues()
        let process = await ProcessFigures.read()
        let format = MetricsText.Format(accepting: request.headers.list("accept"))
        var text = MetricsText(format)
        self.writeRequests(to: &text)
        text.family("toastd_ready", .gauge, "1 while the server wants requests, as /readyz says; else 0.")
        text.sample([:], self.hub.failure == nil && !self.hub.isDraining ? 1 : 0)
        // The sample is left out when the store cannot count now.
        self.writeToasts(stored: try? await self.hub.store.channelCount(), to: &text)
        self.writeStreams(to: &text)
        for meter in self.telemetry.meters { meter.write(to: &text) }
        self.writeWebhooks(to: &text)
        self.writeLoops(to: &text)
        self.writeProcess(process, to: &text)
        let response = Response(status: 200, body: text.bytes)
            .adding("Content-Type", format.mediaType)
            .adding("Cache-Control", "no-store")
            .adding("Vary", "Accept")
        return .response(response)
    }

    private func writeRequests(to text: inout MetricsText) {
        text.family(
            "http_server_request_duration_seconds",
            .histogram,
            "Time from a whole request to its answer, or to the opening of its stream."
        )
        // All loops have the same routes, in the same order; while the server starts, later loops have none yet.
        let loops = self.telemetry.loops.map(\.routes)
        for (index, route) in (loops.first ?? []).enumerated() {
            for digit in 1...5 {
                var sum = Histogram.Reading(.latency)
                for routes in loops where index < routes.count {
                    if let histogram = routes[index].durations(digit) { sum.add(histogram) }
                }
                guard sum.count > 0 else { continue }
                text.sample(["route": route.route, "method": route.method, "status": "\(digit)xx"], sum)
            }
        }
        text.family("toastd_connections", .gauge, "Connections that are no streams.")
        text.sample([:], self.sum { $0.connections.open.value })
        text.family("toastd_connections_refused_total", .counter, "Connections beyond those that a source may have.")
        text.sample([:], self.sum { $0.connections.refused.value })
        text.family("toastd_accept_pauses_total", .counter, "Times that accepting paused for want of descriptors.")
        text.sample([:], self.sum { $0.connections.pauses.value })
        text.family("toastd_problems_total", .counter, "Answers and command replies with a problem, by its type.")
        for (index, problem) in ProblemType.allCases.enumerated() {
            text.sample(["type": problem.name], self.sum { $0.problems.value(index) })
        }
    }

    private func writeToasts(stored: Int?, to text: inout MetricsText) {
        let channels = self.hub.channelMeters
        func sum(_ number: (ChannelMeter) -> Int) -> Int { channels.reduce(0) { $0 + number($1) } }

        text.family("toastd_toasts_published_total", .counter, "Toasts that were accepted.")
        text.sample([:], sum { $0.events(.enqueued) })
        text.family("toastd_toasts_presented_total", .counter, "Toasts that came on screen.")
        text.sample([:], sum { $0.events(.presented) })
        text.family("toastd_toasts_dismissed_total", .counter, "Toasts that went, by reason.")
        for reason in DismissReason.allCases {
            text.sample(["reason": reason.rawValue], sum { $0.dismissals(reason) })
        }
        text.family("toastd_toasts_dropped_total", .counter, "Publications that a channel did not accept, by reason.")
        for reason in ChannelMeter.Refusal.allCases {
            text.sample(["reason": reason.label], sum { $0.refusals(reason) })
        }
        text.family("toastd_events_total", .counter, "Events that were stored, by type.")
        for type in EventType.allCases where ![.snapshot, .resumed, .shutdown].contains(type) {
            text.sample(["type": type.rawValue], sum { $0.events(type) })
        }
        text.family("toastd_queue_wait_seconds", .histogram, "Time from a toast's acceptance to its presentation.")
        var waits = Histogram.Reading(.wait)
        for meter in channels { waits.add(meter.waits) }
        text.sample([:], waits)
        text.family("toastd_channels_loaded", .gauge, "Channels that are in memory.")
        text.sample([:], sum { $0.loaded.value })
        text.family("toastd_channels_stored", .gauge, "Channels that are kept, in memory or not.")
        if let stored { text.sample([:], stored) }
        text.family("toastd_queue_depth", .gauge, "Toasts that wait in the queues of these channels.")
        text.sample([:], sum { $0.queued.value })
        text.family("toastd_queue_depth_largest", .gauge, "Toasts that wait in the longest of these queues.")
        text.sample([:], channels.map(\.longestQueue.value).max() ?? 0)
    }

    private func writeStreams(to text: inout MetricsText) {
        let meters = self.fanouts.map(\.meter)
        func sum(_ number: (StreamMeter) -> Int) -> Int { meters.reduce(0) { $0 + number($1) } }

        text.family("toastd_subscribers", .gauge, "Streams that are open, by transport.")
        for transport in Transport.allCases {
            text.sample(["transport": transport.rawValue], sum { $0.open(transport) })
        }
        text.family("toastd_streams_opened_total", .counter, "Streams that were opened, by transport.")
        for transport in Transport.allCases {
            text.sample(["transport": transport.rawValue], sum { $0.opened(transport) })
        }
        text.family("toastd_streams_closed_total", .counter, "Streams that ended, by transport and reason.")
        for transport in Transport.allCases {
            for end in StreamEnd.allCases {
                let count = sum { $0.closed(transport, end) }
                text.sample(["transport": transport.rawValue, "reason": end.label], count)
            }
        }
        text.family("toastd_streams_refused_total", .counter, "Streams not opened, because there were too many.")
        text.sample([:], sum { $0.refused.value })
        text.family("toastd_slow_consumer_disconnects_total", .counter, "Streams ended because they were too slow.")
        let slow = Transport.allCases.map { transport in
            sum { $0.closed(transport, .slow) + $0.closed(transport, .stalled) }
        }
        text.sample([:], slow.reduce(0, +))
        text.family("toastd_resume_total", .counter, "Channels that streams began to hear, by what their cursor gave.")
        for outcome in StreamBegin.allCases { text.sample(["outcome": outcome.label], sum { $0.begun(outcome) }) }
        text.family("toastd_stream_sent_frames_total", .counter, "Frames that were written to streams.")
        text.sample([:], sum { $0.frames.value })
        text.family("toastd_stream_sent_bytes_total", .counter, "Bytes of these frames.")
        text.sample([:], sum { $0.bytes.value })
    }

    private func writeWebhooks(to text: inout MetricsText) {
        let (counters, deliveries) = (self.hub.webhookCounters, self.hub.store.deliveryCounts)
        text.family("toastd_webhook_deliveries_waiting", .gauge, "Deliveries to webhooks that wait.")
        text.sample([:], deliveries.waiting)
        text.family("toastd_webhook_delivered_total", .counter, "Deliveries that webhooks took.")
        text.sample([:], counters.delivered.value)
        text.family("toastd_webhook_failed_tries_total", .counter, "Tries of deliveries that failed.")
        text.sample([:], counters.failedTries.value)
        text.family("toastd_webhook_given_up_total", .counter, "Deliveries that are not tried any more.")
        text.sample([:], counters.givenUp.value + deliveries.displaced)
    }

    private func writeLoops(to text: inout MetricsText) {
        let loops = self.telemetry.loops.enumerated().map { index, loop in
            (label: ["loop": String(index)] as MetricsText.Labels, meter: loop)
        }
        let now = EventLoop.now
        text.family("toastd_loop_lag_seconds", .histogram, "Time from queueing a job on a loop to running it.")
        for (label, loop) in loops { text.sample(label, loop.lag.reading) }
        text.family("toastd_loop_turn_seconds", .histogram, "How long the turns of a loop took, without waiting.")
        for (label, loop) in loops { text.sample(label, loop.turns.reading) }
        text.family("toastd_loop_longest_turn_seconds", .gauge, "The longest turn of a loop since the start.")
        for (label, loop) in loops { text.sample(label, Double(loop.longestTurn.value) / 1_000_000_000) }
        text.family("toastd_loop_stall_seconds", .gauge, "How long a loop has not come back; 0 while it does.")
        for (label, loop) in loops { text.sample(label, Double(loop.stall(at: now)) / 1_000_000_000) }
        text.family("toastd_loop_stalls_total", .counter, "Times that a loop did not come back for a second.")
        for (label, loop) in loops { text.sample(label, loop.stalls.value) }
        text.family("toastd_clock_jumps_total", .counter, "Times that the wall clock was set by a second or more.")
        text.sample([:], self.telemetry.clockJumps.value)
        text.family("toastd_log_lines_dropped_total", .counter, "Lines of the log that were lost.")
        text.sample([:], self.telemetry.sink.dropped)
    }

    private func writeProcess(_ process: ProcessFigures, to text: inout MetricsText) {
        text.family("toastd_build_info", .info, "The version of toastd that runs.")
        text.sample(["version": self.telemetry.version], 1)
        text.family("process_cpu_seconds_total", .counter, "CPU time of the process.")
        text.sample([:], process.cpuSeconds)
        text.family("process_resident_memory_bytes", .gauge, "Memory of the process that is in use.")
        text.sample([:], process.residentBytes)
        text.family("toastd_memory_limit_bytes", .gauge, "The process's own memory above which new work is refused.")
        text.sample([:], self.hub.memoryLimit)
        text.family("process_virtual_memory_bytes", .gauge, "Addresses that the process has taken.")
        text.sample([:], process.virtualBytes)
        text.family("process_open_fds", .gauge, "Descriptors that are open.")
        text.sample([:], process.openDescriptors)
        text.family("process_max_fds", .gauge, "Descriptors that may be open.")
        text.sample([:], process.maximumDescriptors)
        text.family("process_start_time_seconds", .gauge, "When the process began, in seconds since 1970.")
        text.sample([:], process.startSeconds)
    }

    private func sum(_ number: (LoopMeter) -> Int) -> Int { self.telemetry.loops.reduce(0) { $0 + number($1) } }
}

extension MetricsText.Format {
    /// The format that a client prefers (RFC 9110 §12.5.1), by default Prometheus' own.
    init(accepting ranges: [String]) {
        var best: (format: Self, weight: Double)?
        for range in ranges {
            let parts = range.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";").map(String.init)
            var parameters: [String: String] = [:]
            for part in parts.dropFirst() {
                let halves = part.split(separator: "=", maxSplits: 1)
                if halves.count == 2 { parameters[String(halves[0])] = String(halves[1]) }
            }
            let weight = parameters["q"].map { Double($0) ?? 0 } ?? 1
            let format: Self
            switch parts.first {
            case "application/openmetrics-text" where ["1.0.0", nil].contains(parameters["version"]):
                format = .openMetrics
            case "text/plain" where ["0.0.4", nil].contains(parameters["version"]), "text/*", "*/*":
                format = .plain
            default:
                continue
            }
            if weight > best?.weight ?? 0 { best = (format, weight) }
        }
        self = best?.format ?? .plain
    }
}
