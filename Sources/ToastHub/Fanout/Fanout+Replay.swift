import MicroHTTP
import ToastAccess
import ToastCore

// Brings streams that are behind to the end of their logs. Each page is sent before the next one is read, so a stream
// that does not read costs at most one page of memory, however long the history is.

extension Fanout {
    /// Continues the replay of a stream, if all that was written to it has been sent.
    func catchUp(_ stream: Stream) {
        while self.mayCatchUp(stream), let index = stream.subscriptions.firstIndex(where: { $0.log.isBehind }) {
            guard self.step(stream, at: index) else { break }
        }
        guard !stream.isEnded, !stream.isReading else { return }
        if case .poll = stream.kind {
            stream.resumeOpening(nil)
        } else {
            self.addDirectSubscriber(stream)
        }
    }

    private func mayCatchUp(_ stream: Stream) -> Bool {
        guard !stream.isEnded, !stream.isEnding, !stream.isReading else { return false }
        switch stream.kind {
        case .eventStream, .webSocket: return stream.writer != nil && !stream.isBlocked
        case .poll: return !stream.collected.isFull
        case .outcome: return false
        }
    }

    /// Takes the next step of a stream's replay in one channel.
    ///
    /// - Returns: Whether to take another step at once.
    private func step(_ stream: Stream, at index: Int) -> Bool {
        let language = stream.languageChoice?.language
        guard let part = stream.subscriptions[index].part(in: language) else {
            stream[logAt: index].goLiveIfComplete()
            return true
        }
        // For a stream with frames of its own, a page that contains the next event suffices.
        let isExact = stream.variant != nil
        let now = self.hub.clock.now
        guard case .page(let channel, let offset, _) = part,
            let page = self.pages.page(of: channel, after: offset, in: language, at: now, isExact: isExact)
        else {
            self.want(part, for: stream)
            return false
        }
        if self.deliver(page, to: stream, at: index) { return true }
        self.postpone(stream)
        return false
    }
}

// MARK: - Reading

extension Fanout {
    private func want(_ part: LogPart, for stream: Stream) {
        stream.isReading = true
        self.reads.want(part, for: stream.id)
        self.startReads()
    }

    /// Starts waiting reads, as far as there is memory for them.
    private func startReads() {
        while let part = self.reads.begin() {
            guard let charge = self.charge(for: part) else {
                for id in self.reads.finish(part) { if let stream = self.stream(id) { self.postpone(stream) } }
                continue
            }
            // Not in this turn, even if the store can answer at once: otherwise a long history would be read without a
            // pause.
            Task { await self.read(part, charge) }
        }
    }

    /// Charges a read to one of the streams that wait for it; nil when none of their callers has room, or all streams
    /// are gone.
    ///
    /// The charge covers a page and its frame: otherwise the pages being read could use the whole budget, and none of
    /// them could be sent. When the page is there, the rest of the charge is returned, and its frame is charged in the
    /// same turn.
    private func charge(for part: LogPart) -> MemoryCharge? {
        var asked: Set<RateLimitKey> = []
        for id in self.reads.waiting(for: part) {
            guard let stream = self.stream(id), asked.insert(stream.caller.rateLimitKey).inserted else { continue }
            if let charge = self.hub.chargeOutput(2 * ReplayPage.maximumBytes, to: stream.caller) { return charge }
        }
        return nil
    }

    /// Postpones a stream to the next beat, because there is no memory now.
    ///
    /// A long-poll that is being opened fails with `outOfMemory` instead, and its client retries.
    private func postpone(_ stream: Stream) {
        guard !stream.isEnded else { return }
        stream.isReading = true
        guard !stream.resumeOpening(.outOfMemory) else { return }
        self.reads.postpone(stream.id)
    }

    /// Retries the reads for which there was no memory.
    func retryReads() {
        self.pages = ReplayCache()
        for id in self.reads.takePostponed() {
            guard let stream = self.stream(id) else { continue }
            stream.isReading = false
            self.catchUp(stream)
        }
    }

    private func read(_ part: LogPart, _ charge: MemoryCharge) async {
        let result: LogReadResult
        do throws(ChannelError) {
            switch part {
            case .page(let channel, let offset, let language):
                let lead = self.reads.waiting(for: part).lazy.compactMap { self.stream($0)?.lead(of: channel) }.first
                result = try await self.readPage(of: channel, after: offset, in: language, charge, lead: lead ?? .zero)
            case .snapshot(let channel, let isReset, let language):
                result = try await self.readSnapshot(of: channel, isReset: isReset, in: language)
            }
        } catch {
            result = .failed(error)
        }
        // Returned first, because there might be no room for both this charge and that of the snapshot.
        if case .snapshot = part { charge.shrink(to: 0) }
        if case .page(let page) = result { self.pages.add(page) }
        for id in self.reads.finish(part) {
            guard let stream = self.stream(id) else { continue }
            stream.isReading = false
            self.take(result, of: part, for: stream)
        }
        self.startReads()
    }

    private func readPage(
        of channel: ChannelName,
        after offset: Offset,
        in language: LanguageTag?,
        _ charge: MemoryCharge,
        lead: Interval
    ) async throws(ChannelError) -> LogReadResult {
        let (limit, bytes) = (ReplayPage.maximumEvents, ReplayPage.maximumBytes)
        let history = try await ChannelError.rethrowing(
            await self.hub.store.events(of: channel, after: offset, limit: limit, bytes: bytes)
        )
        if history.isCut { return .forgotten }
        var events = history.events
        if let language { events = await ReplayPage.translated(events, to: language, by: self.languages.lexicon) }
        let now = self.hub.clock.now
        guard let page = ReplayPage(of: channel, after: offset, in: language, events, charge, at: now, lead: lead)
        else { throw .store(.corrupt("channel \(channel): events are missing or cannot be read")) }
        return .page(page)
    }

    private func readSnapshot(
        of name: ChannelName,
        isReset: Bool,
        in language: LanguageTag?
    ) async throws(ChannelError) -> LogReadResult {
        let request = ChannelRequest.snapshot(isReset: isReset, in: language)
        guard case .opening(let opening) = try await self.hub.perform(request, on: name) else { return .forgotten }
        return .snapshot(opening)
    }

    /// Continues a stream with the result of a read.
    private func take(_ result: LogReadResult, of part: LogPart, for stream: Stream) {
        let index = stream.subscriptions.firstIndex { $0.part(in: stream.languageChoice?.language) == part }
        switch result {
        case .page:
            break
        case .forgotten:
            if let index { stream[logAt: index].lose(isReset: true) }
        case .snapshot(let opening):
            if let index, !self.start(stream, at: index, with: opening) { return self.postpone(stream) }
        case .failed(let error):
            // The stream may have left the channel meanwhile, or got a snapshot instead.
            guard index != nil else { break }
            if !stream.resumeOpening(.channel(error)) { self.closeEarly(stream, .failed) }
            return
        }
        self.catchUp(stream)
    }
}

private enum LogReadResult {
    case page(ReplayPage)
    /// Some of the events have been pruned.
    case forgotten
    case snapshot(Opening)
    case failed(ChannelError)
}

extension Stream.Subscription {
    /// The read that the subscription needs next, for a stream of a language.
    fileprivate func part(in language: LanguageTag?) -> LogPart? {
        switch self.log.need {
        case .nothing: nil
        case .page(let offset): .page(self.channel, after: offset, in: language)
        case .snapshot(let isReset): .snapshot(self.channel, isReset: isReset, in: language)
        }
    }
}
