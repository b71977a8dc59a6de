import Metrics
import ToastCore
import ToastHub

// What other nodes send to this one.

extension ClusterNode {
    func receive(_ body: [UInt8], _ reply: BusReply?) {
        guard self.hub != nil else { return }
        do throws(MessageError) {
            self.handle(try ClusterMessage.decode(body, self.seal), reply)
        } catch {
            // A message of another version, or of another program. A request to a channel fails with this reply.
            self.counters.unreadable.add()
            reply?(ChannelReply.unavailable("The owner cannot read the request: \(error)").encoded())
        }
    }

    private func handle(_ message: ClusterMessage, _ reply: BusReply?) {
        switch message {
        case .heartbeat(let heartbeat): self.hear(heartbeat)
        case .request(let message): self.serve(.request(message), reply)
        case .attend(let message): self.serve(.attend(message), reply)
        case .audience(let message): self.serve(message, reply)
        case .pieceRequest(let request): reply?(self.pieces.answer(request, at: self.time.now()))
        case .bundle(let bodies): for body in bodies { self.unpack(body) }
        case .events(let broadcast): self.followed.take(broadcast)
        case .restart(let channel): self.followed.restart(channel)
        case .lateChange(let channel): self.reload(channel, reply)
        case .names(let message): self.serve(message, reply)
        case .reply, .piece, .audienceReply, .namesReply: self.counters.unreadable.add()
        }
    }

    /// Loads a channel again that a former owner has changed late.
    ///
    /// If it is not in memory, it may have a deadline since then. A node that does not own it does not reply.
    private func reload(_ channel: ChannelName, _ reply: BusReply?) {
        guard let hub = self.hub, self.owns(channel) else { return }
        hub.reload(channel)
        self.work.waking.insert(Partition(of: channel))
        self.wakeGained()
        reply?(ChannelReply.answer(.done).encoded())
    }

    /// Handles a message of a bundle; refuses a bundle inside it, so that no sender can choose the depth.
    private func unpack(_ body: [UInt8]) {
        guard let message = try? ClusterMessage.decode(body) else { return self.counters.unreadable.add() }
        if case .bundle = message { return self.counters.unreadable.add() }
        self.handle(message, nil)
    }

    private func serve(_ message: OwnerMessage, _ reply: BusReply?) {
        guard self.beginRequest() else {
            return self.send(.unavailable("The owner of the channel has too many requests in progress."), reply)
        }
        Task.immediate {
            let isServed = self.routes.serves(Partition(of: message.channel), at: self.time.now())
            self.send(isServed ? await self.reply(to: message) : .notOwner, reply, isOfChange: message.isChange)
            self.requestsInProgress -= 1
        }
    }

    /// Counts a request of another node; returns false when too many are in progress.
    func beginRequest() -> Bool {
        guard self.requestsInProgress < self.timing.requests else {
            self.counters.overloads.add()
            return false
        }
        self.requestsInProgress += 1
        return true
    }

    private func send(_ answer: ChannelReply, _ reply: BusReply?, isOfChange: Bool = false) {
        guard let reply else { return }
        do throws(MessageError) {
            reply(try self.pieces.reply(answer, at: self.time.now()))
        } catch {
            let reason = "The answer cannot be sent: \(error)"
            reply(ChannelReply.unavailable(reason, mayBeDone: isOfChange).encoded())
        }
    }

    /// Carries out a message as the channel's owner.
    nonisolated func reply(to message: OwnerMessage) async -> ChannelReply {
        guard let hub = self.hub else { return .notOwner }
        do throws(ChannelError) {
            let answer: ChannelAnswer
            switch message {
            case .request(let message): answer = try await hub.performHere(message.request, on: message.channel)
            case .attend(let message): answer = .opening(try await self.attend(message))
            }
            if self.serves(message.channel) { return .answer(answer) }
            // The partition was lost meanwhile, so what was read may be outdated.
            guard message.isChange else { return .notOwner }
            // A change is stored, because the log accepted it; the new owner may have loaded the channel before.
            Task { await self.announceLateChange(of: message.channel) }
            return .answer(answer)
        } catch .store(.conflict) where !self.serves(message.channel) {
            // Nothing was stored.
            return .notOwner
        } catch {
            return .failure(error)
        }
    }

    /// Tells the new owner of a channel that this node has still changed it, until the owner replies.
    ///
    /// Otherwise it would not present a toast that this node has acknowledged before its own next append.
    nonisolated func announceLateChange(of channel: ChannelName) async {
        let (body, owner) = (MessageParts.bytes(.lateChange, of: channel), BusAddress.partition(Partition(of: channel)))
        let end = self.time.now() + self.timing.repetition
        while self.time.now() < end {
            if (try? await self.bus.request(body, to: owner, timeout: self.timing.handover)) != nil { return }
            await self.time.pause(self.timing.pause)
        }
    }
}
