import EventLoop
import MicroHTTP
package import ToastAccess
package import ToastCore

// Commands of WebSocket peers.

/// The WebSocket that a command came from.
package struct SocketSession: Sendable {
    /// The channel of the socket's own path; nil on a socket for several channels.
    package let channel: ChannelName?

    /// The caller that opened it.
    package let caller: Caller

    /// The language of the stream; nil for the server's default.
    package var language: LanguageTag?

    let fanout: Fanout
    let id: StreamID

    /// Subscribes the socket to a channel.
    ///
    /// - Throws: When the channel cannot be joined, or the socket has too many channels.
    package func subscribe(to channel: ChannelName, since cursor: Cursor?) async throws(StreamError) {
        try await self.fanout.subscribe(self.id, to: channel, since: cursor)
    }

    package func unsubscribe(from channel: ChannelName) async {
        await self.fanout.unsubscribe(self.id, from: channel)
    }
}

extension Fanout {
    func readCommands(_ commands: PeerCommands, of stream: Stream, _ writer: StreamWriter) {
        let result = commands.read(from: writer, using: &self.scratch)
        let output = Frame(result.output)
        if result.breaksRules { return self.close(stream, with: output, .refused) }
        if commands.count > self.limits.commands {
            return self.close(stream, with: .webSocketClose(code: 1008, reason: "too many commands at once"), .refused)
        }
        if result.isOver {
            // Commands that the peer sent before its close frame are carried out first.
            guard !commands.isIdle else { return self.close(stream, with: output, .peer) }
            commands.close(with: output)
            if let watch = stream.takeWatch() { self.loop.unwatch(watch) }
        } else if output.count > 0 {
            self.write(output, to: stream)
        }
        guard commands.beginServing() else { return }
        let id = stream.id
        Task.immediate { await self.serve(id) }
    }

    /// Answers the commands of a socket one after the other, so that their effects keep their order.
    private func serve(_ id: StreamID) async {
        // A strong reference: the stream may leave the table before all commands of its peer are carried out.
        guard let stream = self.stream(id), let commands = stream.commands else { return }
        while let handler = self.commandHandler, let command = commands.popFirst() {
            // A client of another system sends no commands of ours: its messages are dropped.
            if stream.encoding != nil { continue }
            let channel = stream.isComposite ? nil : stream.subscriptions.first?.channel
            let session = SocketSession(
                channel: channel,
                caller: stream.caller,
                language: stream.languageChoice?.language,
                fanout: self,
                id: id
            )
            self.write(.webSocketText(await handler(session, command)), to: stream)
        }
        if let frame = commands.endServing() { self.close(stream, with: frame, .peer) }
    }
}
