import EventLoop
import Synchronization
package import ToastCore
package import ToastHub

// The way of a request from the node that got it to the owner of its channel.

extension ClusterNode: ChannelGate {
    /// Why this node cannot serve: it has not joined the cluster, or has lost the log for some time; nil while it can.
    package nonisolated var failure: StoreError? {
        self.routes.failure(at: self.time.now(), after: self.timing.readiness)
    }

    package nonisolated func owns(_ name: ChannelName) -> Bool { self.routes.owns(Partition(of: name)) }

    package nonisolated func serves(_ name: ChannelName) -> Bool {
        self.routes.serves(Partition(of: name), at: self.time.now())
    }

    package nonisolated func perform(
        _ request: ChannelRequest,
        on name: ChannelName
    ) async throws(ChannelError) -> ChannelAnswer {
        if case .attend(let attendance) = request { return .opening(try await self.attend(attendance, to: name)) }
        return try await self.carryOut(.request(RequestMessage(channel: name, request: self.repeatable(request))))
    }

    package nonisolated func leave(
        _ name: ChannelName,
        _ observer: any ChannelObserver,
        _ listener: ChannelListener
    ) {
        self.execute { $0.remove(listener, of: observer, from: name) }
    }

    /// The request with the toast ids that the owner would draw, so that sending it again publishes nothing twice.
    private nonisolated func repeatable(_ request: ChannelRequest) -> ChannelRequest {
        guard case .publish(let publish) = request, publish.ids.isEmpty, let now = self.hub?.now else { return request }
        let ids = self.random.withLock { ToastID.draw(publish.drafts.count, at: now, using: &$0) }
        return .publish(PublishRequest(publish.drafts, ids: ids, key: publish.key))
    }
}

// MARK: - Asking the owner

extension ClusterNode {
    /// Passes a message to the owner of a channel: asks again and again until the time is up.
    ///
    /// `again` makes the message for each further attempt; without it, the same message is sent again.
    ///
    /// - Throws: What the owner throws; `store` when no owner answers in time.
    nonisolated func carryOut(
        _ message: OwnerMessage,
        again: (@Sendable () async -> OwnerMessage)? = nil
    ) async throws(ChannelError) -> ChannelAnswer {
        var message = message
        let partition = Partition(of: message.channel)
        let end = self.time.now() + self.timing.repetition
        var mayBeDone = false
        while true {
            let reply: ChannelReply?
            switch self.routes.route(to: partition, at: self.time.now()) {
            case .here: reply = await self.reply(to: message)
            case .elsewhere: reply = await self.attempt(message, partition)
            case .uncertain: reply = .notOwner
            case .cut: throw mayBeDone ? .undecided : .cutOff
            }
            switch reply {
            case .answer(let answer): return answer
            case .failure(.keyInUse) where mayBeDone:
                // The first attempt may still be under way, and hold the key: ask again.
                break
            case .failure(let error): throw mayBeDone && error.isIndefinite ? .undecided : error
            case .notOwner where self.isLast(of: partition): throw mayBeDone ? .undecided : .noOwner
            case .notOwner: break
            case nil:
                // No reply: the message may have been carried out.
                mayBeDone = mayBeDone || message.isChange
            }
            try await self.pause(before: end, mayBeDone: mayBeDone)
            if let again { message = await again() }
        }
    }

    /// Whether this node drains and no other one takes a partition over: all nodes stop together.
    nonisolated func isLast(of partition: Partition) -> Bool {
        self.hub?.isDraining == true && self.routes.ownership.owner(of: partition) == nil
    }

    /// Waits before a message is sent again.
    ///
    /// - Throws: `undecided` or `noOwner` when the time is up, or the task is cancelled.
    @inline(never)
    private nonisolated func pause(before end: Instant, mayBeDone: Bool) async throws(ChannelError) {
        // A pause in a cancelled task is none, so it would send the message again and again.
        guard self.time.now() < end, !Task.isCancelled else { throw mayBeDone ? .undecided : .noOwner }
        self.counters.countRepetition()
        await self.time.pause(self.timing.pause)
    }

    /// Sends a message to the owner of a partition once.
    ///
    /// - Returns: The reply; nil when there is none, and the message may have been carried out.
    private nonisolated func attempt(_ message: OwnerMessage, _ partition: Partition) async -> ChannelReply? {
        let body = message.sent(at: self.sendingTime).encoded(self.seal)
        guard body.count <= self.bus.limit.bytes else {
            return .unavailable("The request has \(body.count) bytes, more than the bus carries.")
        }
        let reply: [UInt8]
        do throws(BusError) {
            reply = try await self.bus.request(body, to: .partition(partition), timeout: self.timing.attempt)
        } catch .noResponders {
            self.suspectOwner(of: partition)
            return .notOwner
        } catch {
            return nil
        }
        return await self.read(reply, to: message)
    }

    /// Begins to check on the owner of a partition, because no node listens to the partition's address.
    private nonisolated func suspectOwner(of partition: Partition) {
        guard let owner = self.routes.ownership.owner(of: partition), owner != self.id else { return }
        self.execute { $0.check(owner) }
    }

    /// Reads the reply to a message, and fetches its other pieces if it is longer than a message of the bus.
    ///
    /// - Returns: `nil` when one of them does not come: the owner has ended, or given the reply up.
    private nonisolated func read(_ reply: [UInt8], to message: OwnerMessage) async -> ChannelReply? {
        do throws(MessageError) {
            switch try ClusterMessage.decode(reply, self.seal) {
            case .reply(let reply): return reply
            case .piece(let piece):
                return await self.collect(piece, into: try PieceCollector(first: piece, seal: self.seal))
            default: throw .malformed("A reply is expected.")
            }
        } catch {
            // The owner may have carried the message out.
            let reason = "The reply of the channel's owner cannot be read: \(error)"
            return .unavailable(reason, mayBeDone: message.isChange)
        }
    }

    /// Adds the first piece of a reply and all others; nil when one of them does not come, or does not fit.
    private nonisolated func collect(_ first: MessagePiece, into collector: PieceCollector) async -> ChannelReply? {
        var (piece, collector) = (first, collector)
        while let step = try? collector.add(piece) {
            switch step {
            case .complete(let reply): return reply
            case .fetch(let request, let node):
                let body = request.encoded()
                guard let answer = try? await self.bus.request(body, to: .node(node), timeout: self.timing.attempt),
                    case .piece(let next) = try? ClusterMessage.decode(answer)
                else { return nil }
                piece = next
            }
        }
        return nil
    }
}

extension ChannelError {
    /// No owner has answered, and the request may have been carried out.
    fileprivate static var undecided: Self {
        .store(.undecided("The owner of the channel did not answer; the request may have been carried out."))
    }

    /// No owner was found.
    fileprivate static var noOwner: Self { .store(.unavailable("No node has answered for the channel.")) }

    /// This node has lost the log, and with it the other nodes.
    fileprivate static var cutOff: Self { .store(.unavailable("This node has lost the log.")) }

    /// Whether the error of a repetition leaves open whether the first attempt was carried out: that may have caused
    /// the error.
    fileprivate var isIndefinite: Bool {
        switch self {
        // These show that the first attempt was not carried out: otherwise the owner would know the ids of the publish,
        // or the toast would have the action, and the repetition would not be refused. They are wrong only for a toast
        // that was merged into another one, or that got other actions meanwhile.
        case .refused(.queueFull), .refused(.batchTooLong), .refused(.toastAlreadyPresented),
            .refused(.actionNotFound):
            false
        // These may be caused by the first attempt, or by another request since.
        case .refused, .settingsChanged, .store, .tooManyChannels, .outOfMemory: true
        default: false
        }
    }
}
