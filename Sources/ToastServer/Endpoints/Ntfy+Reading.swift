import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

// The routes of ntfy's readers (docs.ntfy.sh/subscribe/api): messages of the past, and a stream of new ones.

extension API {
    /// Answers `GET /{topic}/json`, `/sse`, `/raw` and `/ws`; `{topic}` is one topic, or several with commas between.
    func readNtfy(as form: NtfyForm) -> Endpoint {
        { (request, caller) async throws(Problem) in try await self.readNtfy(request, caller, form) }
    }

    /// Answers `GET /{topic}/auth`.
    func checkNtfy(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        guard try self.topics(request, caller) != nil else { return self.ntfyRefusal(.topic) }
        return .object { $0.member("success", true) }
    }

    private func readNtfy(_ request: Request, _ caller: Caller, _ form: NtfyForm) async throws(Problem) -> Reply {
        guard let topics = try self.topics(request, caller) else { return self.ntfyRefusal(.topic) }
        let query = NtfyQuery(request)
        let filter: NtfyFilter
        do throws(NtfyMessage.Refusal) { filter = try NtfyFilter(request) } catch {
            return self.ntfyRefusal(error)
        }
        let (published, cursor) = try await self.published(in: topics)
        guard let missed = await Self.missed(published, of: topics, query, at: self.hub.now) else {
            return self.ntfyRefusal(.since)
        }
        if query.polls || request.method == .head {
            guard form != .socket else { throw Problem(.invalidParameter, "A WebSocket cannot be polled.") }
            let isHead = request.method == .head
            let body = isHead ? [] : try await self.frame(of: missed, form, filter, topics, to: caller).bytes
            let response = Response(status: 200, body: body).adding("Content-Type", form.contentType)
            return .response(response.adding("Cache-Control", "no-store"))
        }
        var listening = StreamRequest(channels: topics, isComposite: topics.count > 1)
        // The stream continues right after the toasts that were listed.
        listening.cursor = cursor
        listening.filter = EventFilter([.enqueued, .updated])
        // ntfy's readers show notifications at once, not toasts in turn.
        listening.isAudience = false
        listening.caller = caller
        listening.requestID = request.id
        listening.hasLeft = request.hasPeerLeft
        listening.encoding = StreamEncoding(
            frame: { type, envelope in
                guard let event = NtfyEvent(type, envelope), filter.wants(event) else { return nil }
                return form.frame(event, of: topics)
            },
            keepAlive: { form.frame(.keepAlive, of: topics) }
        )
        let head =
            form == .socket
            ? try Self.webSocketHead(for: request, subprotocol: "ntfy")
            : self.streamHead(form.contentType, for: request)
        let messages = try await self.frame(of: missed, form, filter, topics, to: caller)
        let opening = Frame(joining: [head, form.frame(.open, of: topics), messages])
        do throws(StreamError) {
            let stream =
                form == .socket
                ? try await self.fanout.openWebSocket(listening) : try await self.fanout.openEventStream(listening)
            return stream.reply(
                head: opening,
                otherwise: self.countingRefusal(Self.ntfyError(42903, 429, "limit reached"))
            )
        } catch {
            throw Problem(from: error)
        }
    }

    /// Held while a frame is made: no budget counts a frame before it is charged, so only one is made at a time.
    private static let framing = TaskLock()

    /// One frame with the messages of those toasts that pass the filter; charged to the caller if it is long.
    ///
    /// Concurrent, because there may be a hundred thousand of them.
    @concurrent
    private func frame(
        of toasts: ArraySlice<PublishedToast>,
        _ form: NtfyForm,
        _ filter: NtfyFilter,
        _ topics: [ChannelName],
        to caller: Caller
    ) async throws(Problem) -> Frame {
        await Self.framing.lock()
        defer { Self.framing.unlock() }
        let events = toasts.lazy.map { NtfyEvent($0) }.filter(filter.wants)
        let frame = Frame(joining: events.map { form.frame($0, of: topics) })
        guard let charged = self.hub.charged(frame, to: caller) else { throw .outOfMemory }
        return charged
    }

    /// The toasts that the reader asks for, in the order in which they were published; nil when its `since` is invalid.
    ///
    /// Concurrent, because there may be a hundred thousand of them.
    @concurrent
    private static func missed(
        _ published: [PublishedToast],
        of topics: [ChannelName],
        _ query: NtfyQuery,
        at now: Instant
    ) async -> ArraySlice<PublishedToast>? {
        guard topics.count > 1 else { return query.missed(published, at: now) }
        // Toasts of one channel stay in their order.
        let merged = published.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        return query.missed(merged.map(\.element), at: now)
    }

    /// The topics that the path names, each once; nil when one is invalid, or there are too many.
    private func topics(_ request: Request, _ caller: Caller) throws(Problem) -> [ChannelName]? {
        var topics: [ChannelName] = []
        var known: Set<ChannelName> = []
        for name in (request.parameters["topic"] ?? "").split(separator: ",", omittingEmptySubsequences: false) {
            guard let topic = Self.topic(String(name)) else { return nil }
            try caller.principal.need(.subscribe, on: topic)
            guard known.insert(topic).inserted else { continue }
            guard topics.count < self.fanout.channelLimit else { return nil }
            topics.append(topic)
        }
        return topics
    }

    /// The toasts of some channels, also dismissed ones that are still known, channel by channel; and the cursor after
    /// which a stream continues without a gap.
    private func published(
        in topics: [ChannelName]
    ) async throws(Problem) -> (toasts: [PublishedToast], cursor: Cursor) {
        var (toasts, offsets): ([PublishedToast], [ChannelName: Offset]) = ([], [:])
        for topic in topics {
            let listing = try await self.perform(.read(.published), on: topic).listing()
            toasts += zip(listing.toasts, listing.publishedAt).map { PublishedToast(toast: $0, at: $1) }
            if case .single(let offset) = listing.cursor.position { offsets[topic] = offset }
        }
        guard topics.count == 1, let offset = offsets.values.first else {
            return (toasts, Cursor(epoch: self.hub.epoch, offsets: offsets))
        }
        return (toasts, Cursor(epoch: self.hub.epoch, offset: offset))
    }
}

/// The parameters of ntfy's readers.
private struct NtfyQuery: Sendable {
    let polls: Bool
    private let since: String?

    init(_ request: Request) {
        let polls = request.ntfyParameter(["x-poll", "poll", "po"])?.lowercased()
        self.polls = ["1", "true", "yes"].contains(polls ?? "")
        self.since = request.ntfyParameter(["x-since", "since", "si"])
    }

    /// The toasts that the reader asks for by `since`, of those that were published; nil when its value is invalid.
    func missed(_ published: [PublishedToast], at now: Instant) -> ArraySlice<PublishedToast>? {
        switch self.since?.lowercased() {
        // Without `since` a poll gets all of them, a stream none.
        case nil: return self.polls ? published[...] : []
        case "all": return published[...]
        case "none": return []
        case "latest": return published.suffix(1)
        case let text?:
            if let place = published.firstIndex(where: { NtfyID(of: $0.toast).text == text }) {
                return published[(place + 1)...]
            }
            // An earlier message of a toast. Its time is not kept, but it is not before `createdAt`: all toasts that
            // were published after that are returned.
            if let toast = published.first(where: { NtfyID(of: $0.toast).isOfSameToast(as: text) })?.toast {
                return published.filter { ($0.at, $0.toast.id) > (toast.createdAt, toast.id) }[...]
            }
            if let start = NtfyDelay.past(text, at: now) { return published.filter { $0.at >= start }[...] }
            // An id that is no longer known: all toasts, so that none is missed.
            return text.count == 12 ? published[...] : nil
        }
    }
}

/// A toast, and when it was last published.
struct PublishedToast: Sendable {
    let toast: Toast
    let at: Instant
}
