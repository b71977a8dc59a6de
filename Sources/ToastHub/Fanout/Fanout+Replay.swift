import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore

// How streams that are behind come to the end of the logs that they follow: a page goes out, and the next one is read when
// it is out. So a stream that does not read costs one page at most, however long the history is.

extension Fanout {
    /// Goes on with a stream that is behind, if it has taken all that was written to it.
    func catchUp(_ stream: Stream) {
        while self.mayCatchUp(stream), let index = stream.subscriptions.firstIndex(where: { $0.log.isBehind }) {
            guard self.step(stream, at: index) else { break }
        }
        guard !stream.isEnded, !stream.isReading else { return }
        if case .poll = stream.kind { return self.endReading(stream, nil) }
        self.takeSeat(stream)
    }

    private func mayCatchUp(_ stream: Stream) -> Bool {
        guard !stream.isEnded, !stream.isEnding, !stream.isReading else { return false }
        switch stream.kind {
        case .eventStream, .webSocket: return stream.writer != nil && !stream.isBlocked
        case .poll: return !stream.isFull
        case .outcome: return false
        }
    }

    /// Does what brings a stream on in one channel.
    ///
    /// - Returns: Whether to go on at once.
    private func step(_ stream: Stream, at index: Int) -> Bool {
        let (channel, need) = (stream.subscriptions[index].channel, stream.subscriptions[index].log.need)
        let language = stream.reading?.language
        switch need {
        case .nothing:
            stream.subscriptions[index].log.goLiveIfComplete()
            return true
        case .snapshot(let isReset):
            self.want(.snapshot(channel, isReset: isReset, in: language), for: stream)
            return false
        case .page(let offset):
            guard let page = self.page(of: channel, behind: offset, for: stream) else {
                self.want(.page(channel, after: offset, in: language), for: stream)
                return false
            }
            guard self.deliver(page, to: stream, at: index) else {
                self.postpone(stream)
                return false
            }
            return true
        }
    }

    /// A page that was read a moment ago and begins behind an offset; of the streams whose frames are their own, one that has
    /// the next event is enough.
    private func page(of channel: ChannelName, behind offset: Offset, for stream: Stream) -> ReplayPage? {
        let (isShared, now, language) = (stream.cut != nil, self.hub.clock.now, stream.reading?.language)
        return self.pages.last { page in
            page.continues(channel, behind: offset, in: language, at: now) && (!isShared || page.start == offset)
        }
    }
}

// MARK: - Reading

extension Fanout {
    /// The most pages that are kept for others who come to the same place.
    private static let pageLimit = 16

    private func want(_ part: LogPart, for stream: Stream) {
        stream.isReading = true
        self.reads.want(part, for: stream.id)
        self.startReads()
    }

    /// Begins to read what waits, as far as there is memory for it.
    private func startReads() {
        while let part = self.reads.begin() {
            guard let charge = self.charge(for: part) else {
                for id in self.reads.finish(part) { if let stream = self.stream(id) { self.postpone(stream) } }
                continue
            }
            // Not in this turn, even when the store has it at hand: a long history would be read in one go.
            Task { await self.read(part, charge) }
        }
    }

    /// Charges a reading to one of those who wait for it; nil when they have no room, or are all gone.
    ///
    /// A page and its frame: else the pages that are read could take all the room, and none of them would go out. What is not
    /// the page's is given back when it is there, and its frame is charged in the same turn.
    private func charge(for part: LogPart) -> MemoryCharge? {
        var asked: Set<RateLimitKey> = []
        for id in self.reads.waiting(for: part) {
            guard let stream = self.stream(id), asked.insert(stream.visitor.party).inserted else { continue }
            if let charge = self.hub.chargeOutput(2 * ReplayPage.bytes, to: stream.visitor) { return charge }
        }
        return nil
    }

    /// Lets a stream go on when there is memory: at the next beat, or, if it waits for its one answer, when it asks again.
    private func postpone(_ stream: Stream) {
        guard !stream.isEnded else { return }
        stream.isReading = true
        if stream.whenRead != nil { return self.endReading(stream, .outOfMemory) }
        self.reads.postpone(stream.id)
    }

    /// Tries again what there was no memory for.
    func retryReads() {
        self.pages = []
        for id in self.reads.takePostponed() {
            guard let stream = self.stream(id) else { continue }
            stream.isReading = false
            self.catchUp(stream)
        }
    }

    private func read(_ part: LogPart, _ charge: MemoryCharge) async {
        let result: LogReadResult
        switch part {
        case .page(let channel, let offset, let language):
            result = await self.readPage(of: channel, after: offset, in: language, charge)
        case .snapshot(let channel, let isReset, let language):
            result = await self.readSnapshot(of: channel, isReset: isReset, in: language)
            // Given back before the state is charged, which could have no room beside it.
            charge.shrink(to: 0)
        }
        if case .page(let page) = result {
            if self.pages.count >= Self.pageLimit { self.pages.removeFirst() }
            self.pages.append(page)
        }
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
        _ charge: MemoryCharge
    ) async -> LogReadResult {
        let history: History
        do throws(StoreError) {
            history = try await self.hub.store.events(
                of: channel,
                after: offset,
                limit: ReplayPage.events,
                bytes: ReplayPage.bytes
            )
        } catch {
            return .failed(.unavailable(error))
        }
        if history.isCut { return .forgotten }
        var events = history.events
        if let language {
            events = await ReplayPage.translated(events, to: language, by: self.languages.lexicon)
        }
        guard let page = ReplayPage(of: channel, after: offset, in: language, events, charge, at: self.hub.clock.now)
        else {
            return .failed(.unavailable(.corrupt("channel \(channel): events are missing or cannot be read")))
        }
        return .page(page)
    }

    private func readSnapshot(
        of name: ChannelName,
        isReset: Bool,
        in language: LanguageTag?
    ) async -> LogReadResult {
        do throws(ChannelError) {
            let request = ChannelRequest.snapshot(isReset: isReset, in: language)
            guard case .opening(let opening) = try await self.hub.perform(request, on: name) else { return .forgotten }
            return .snapshot(opening)
        } catch {
            return .failed(error)
        }
    }

    /// Goes on with a stream for which something was read.
    private func take(_ result: LogReadResult, of part: LogPart, for stream: Stream) {
        let index = stream.subscriptions.firstIndex { $0.part(in: stream.reading?.language) == part }
        switch result {
        case .page:
            self.catchUp(stream)
        case .forgotten:
            if let index { stream.subscriptions[index].log.lose(isReset: true) }
            self.catchUp(stream)
        case .snapshot(let opening):
            guard let index, case .snapshot(_, let isReset, _) = part else { return self.catchUp(stream) }
            guard self.start(stream, at: index, with: opening, isReset: isReset) else { return self.postpone(stream) }
            self.catchUp(stream)
        case .failed(let error):
            if stream.whenRead != nil { return self.endReading(stream, .channel(error)) }
            self.sendBack(stream, .failed)
        }
    }
}

/// What came of a reading.
private enum LogReadResult {
    case page(ReplayPage)
    /// Some of the events were forgotten.
    case forgotten
    case snapshot(Opening)
    case failed(ChannelError)
}

extension Stream.Subscription {
    /// What has to be read for a stream to go on that reads in a language.
    fileprivate func part(in language: LanguageTag?) -> LogPart? {
        switch self.log.need {
        case .nothing: nil
        case .page(let offset): .page(self.channel, after: offset, in: language)
        case .snapshot(let isReset): .snapshot(self.channel, isReset: isReset, in: language)
        }
    }
}

// MARK: - Delivering

extension Fanout {
    /// Lets a stream begin, or begin anew, with a channel's state.
    ///
    /// - Returns: False when there is no memory for it now.
    func start(_ stream: Stream, at index: Int, with opening: Opening, isReset: Bool) -> Bool {
        guard let envelope = opening.snapshot else { return true }
        let before = stream.subscriptions[index].log
        stream.subscriptions[index].log.begin(at: opening.start, stored: opening.stored)
        switch stream.kind {
        case .eventStream, .webSocket:
            guard let frame = self.charged(stream.frame(.snapshot, envelope, self.hub.epoch), for: stream) else {
                stream.subscriptions[index].log = before
                return false
            }
            self.write(frame, to: stream)
        case .poll:
            guard let frame = self.charged(Frame(envelope), for: stream) else {
                stream.subscriptions[index].log = before
                return false
            }
            // What does not fit is for the next poll, to which the channel is a new one.
            guard self.hold(frame, for: stream) else {
                stream.subscriptions[index].log = before
                return true
            }
        case .outcome:
            break
        }
        self.meter.countBegun(isReset ? .reset : .fresh)
        return true
    }

    /// Sends a page to a stream, or as much of it as makes one together with the cursors of a stream of several channels.
    ///
    /// - Returns: False when there is no memory for it now.
    private func deliver(_ page: ReplayPage, to stream: Stream, at index: Int) -> Bool {
        let owesHead = stream.subscriptions[index].log.owesHead
        if case .poll = stream.kind {
            if owesHead { self.meter.countBegun(.resumed) }
            for event in page.events where event.offset > stream.subscriptions[index].log.offset ?? .origin {
                guard self.hold(event, for: stream, at: index) else { break }
            }
            // A page is an answer, whatever more there is.
            if !stream.held.isEmpty, stream.subscriptions[index].log.need != .nothing { stream.isFull = true }
            return true
        }
        guard let (frame, end) = self.frame(of: page, for: stream, at: index) else { return false }
        var head: Frame?
        if owesHead {
            head = self.resumedFrame(of: page, for: stream, at: index)
            self.meter.countBegun(.resumed)
        }
        guard frame.charge != nil else {
            stream.subscriptions[index].log.advance(to: end)
            let frame = Frame(joining: [frame], behind: head)
            if frame.count > 0 { self.write(frame, to: stream) }
            return true
        }
        // A long frame goes by itself, so that one that is shared need not be copied, and when all before it is out.
        stream.subscriptions[index].log.noteHead()
        if let head { self.write(head, to: stream) }
        self.sendHeld(stream)
        guard !stream.isBlocked, !stream.isEnded else { return true }
        stream.subscriptions[index].log.advance(to: end)
        self.write(frame, to: stream)
        return true
    }

    /// What goes out of a page, and the last event that it has; nil when there is no memory for it now.
    private func frame(of page: ReplayPage, for stream: Stream, at index: Int) -> (Frame, end: Offset)? {
        if let cut = stream.cut {
            return page.frame(cut, for: stream.visitor, of: self.hub).map { ($0, page.end) }
        }
        let before = stream.subscriptions[index].log
        defer { stream.subscriptions[index].log = before }
        var (frames, size, end): ([Frame], Int, Offset) = ([], 0, before.offset ?? .origin)
        for event in page.events where event.offset > end && size < ReplayPage.bytes {
            end = event.offset
            guard stream.filter.wants(event.type) else { continue }
            // The cursor in a frame says where the stream stands with it.
            stream.subscriptions[index].log.advance(to: end)
            let frame = stream.frame(event.type, event.envelope, self.hub.epoch)
            size += frame.count
            frames.append(frame)
        }
        return self.charged(Frame(joining: frames), for: stream).map { ($0, end) }
    }

    private func resumedFrame(of page: ReplayPage, for stream: Stream, at index: Int) -> Frame? {
        let start = stream.subscriptions[index].log.offset ?? .origin
        let now = max(self.hub.clock.now, stream.subscriptions[index].since).wholeMilliseconds
        let make = { self.resumedFrame(of: page.channel, start, at: now, for: stream) }
        guard case .eventStream = stream.kind, !stream.isComposite, start == page.start else { return make() }
        return page.resumedFrame(at: now) { make() ?? Frame([]) }
    }

    /// The word that a cursor was honoured; nil for one who is answered once.
    func resumedFrame(of channel: ChannelName, _ start: Offset, at now: Instant, for stream: Stream) -> Frame? {
        switch stream.kind {
        case .poll, .outcome: return nil
        case .eventStream, .webSocket: break
        }
        var writer = JSONWriter()
        Engine.writeResumedFrame(
            to: &writer,
            channel: channel,
            epoch: self.hub.epoch,
            offset: start,
            at: now.wholeMilliseconds
        )
        return stream.frame(.resumed, writer.bytes, self.hub.epoch)
    }

    /// A frame with what it takes of the budget, if it is long; nil when there is no room for it.
    func charged(_ frame: Frame, for stream: Stream) -> Frame? {
        guard frame.charge == nil, frame.count > MemoryBudget.freeBytes else { return frame }
        return self.hub.chargeOutput(frame.count, to: stream.visitor).map { Frame(frame.bytes, charge: $0) }
    }
}
