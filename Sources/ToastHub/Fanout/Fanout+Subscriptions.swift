import MicroHTTP
import ToastCore

extension Fanout {
    package nonisolated var channelLimit: Int { self.limits.channels }

    /// Subscribes a stream to a channel.
    ///
    /// Has no effect if the stream is subscribed already.
    func subscribe(_ id: StreamID, to name: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        guard let stream = self.stream(id), stream.index(of: name) == nil else { return }
        try self.prepare(stream, for: name, since: cursor)
        try await self.join(stream, name, since: cursor)
    }

    /// Adds a stream's subscription to a channel, with its position as far as it is known.
    func prepare(_ stream: Stream, for name: ChannelName, since cursor: Cursor?) throws(StreamError) {
        guard stream.subscriptions.count < self.limits.channels else { throw .tooManyChannels }
        try self.hub.streamQuotas.countSubscription(to: name)
        self.removeDirectSubscriber(stream)
        // The stream is notified of events from now on, so that none is lost between the opening and the first live
        // event.
        let place = cursor?.offset(in: name)
        let known = cursor?.epoch == self.hub.epoch ? place : nil
        let index = self.channels.add(stream.id.slot, to: name)
        stream.addSubscription(to: name, index: index, after: known, isInCursor: place != nil)
    }

    /// Joins the channel of a prepared subscription, unless the client has left before.
    func join(
        _ stream: Stream,
        _ name: ChannelName,
        since cursor: Cursor?,
        hasLeft: @escaping @Sendable () -> Bool = { false }
    ) async throws(StreamError) {
        guard !stream.isEnded else { return }
        let (id, listener) = (stream.id, stream.listener)
        let attendance = Attendance(
            observer: self,
            listeners: .one(listener),
            cursor: cursor,
            language: stream.languageChoice?.language,
            hasLeft: hasLeft
        )
        let opening: Opening
        do throws(ChannelError) {
            guard case .opening(let answer) = try await self.hub.perform(.attend(attendance), on: name) else { return }
            opening = answer
        } catch {
            if let stream = self.stream(id) { self.forget(stream, name) }
            throw .channel(error)
        }
        guard let stream = self.stream(id), let index = stream.index(of: name) else {
            // The peer left, or unsubscribed, while the channel was being joined.
            self.hub.leave(name, self, listener)
            return
        }
        try self.begin(stream, at: index, with: opening)
    }

    func unsubscribe(_ id: StreamID, from name: ChannelName) {
        guard let stream = self.stream(id), let index = stream.index(of: name) else { return }
        if stream.subscriptions[index].isJoined { self.hub.leave(name, self, stream.listener) }
        self.forget(stream, name)
    }

    private func forget(_ stream: Stream, _ name: ChannelName) {
        guard stream.index(of: name) != nil else { return }
        self.removeDirectSubscriber(stream)
        if let subscription = stream.removeSubscription(to: name) { self.leaveChannel(subscription) }
        self.hub.streamQuotas.uncountSubscription(to: name)
    }

    /// Removes a stream from a channel's slots.
    func leaveChannel(_ subscription: Stream.Subscription) {
        let name = subscription.channel
        guard let moved = self.channels.remove(at: subscription.index, of: name),
            let stream = self.streams[moved]
        else { return }
        stream.didMove(to: subscription.index, of: name)
    }

    /// Starts a stream with a channel's opening: a snapshot, or a position in the log.
    ///
    /// - Throws: `outOfMemory` when there is no memory for the snapshot; then the stream is unsubscribed.
    private func begin(_ stream: Stream, at index: Int, with opening: Opening) throws(StreamError) {
        let channel = stream.subscriptions[index].channel
        let lead = opening.instant - self.hub.clock.now
        // Events have whole milliseconds, so the clock of a channel may be ahead by less than one.
        stream.didJoin(at: index, lead: lead < Interval(seconds: 0.001) ? .zero : lead)
        if case .outcome = stream.kind {
            stream[logAt: index].begin(at: opening.stored, stored: opening.stored)
            return stream[logAt: index].skipToEnd()
        }
        if opening.snapshot != nil {
            if stream.isBlocked || stream.collected.bytes > ReplayPage.maximumBytes {
                // A stream of many channels gets the next snapshot when the previous ones are sent.
                stream[logAt: index].lose(isReset: opening.isReset)
            } else if !self.start(stream, at: index, with: opening) {
                self.unsubscribe(stream.id, from: channel)
                throw .outOfMemory
            }
        } else if opening.start < opening.stored {
            stream[logAt: index].begin(at: opening.start, stored: opening.stored, owesHead: true)
        } else {
            stream[logAt: index].begin(at: opening.start, stored: opening.stored)
            if !stream.kind.answersOnce {
                self.write(self.resumedFrame(of: channel, opening.start, at: opening.instant, for: stream), to: stream)
            }
            self.meter.countBegun(.resumed)
        }
        self.catchUp(stream)
    }
}
