import ToastCore

extension Fanout {
    /// Has all streams that hear a channel begin anew with its state, because the channel that they heard was deleted.
    ///
    /// A publisher who waits has been told of its toast's end.
    func beginAnew(_ name: ChannelName) {
        // What ended with the channel goes out before.
        self.flush()
        self.forgetPages(of: name)
        for slot in self.audiences[name] ?? [] {
            guard let stream = self.streams[slot], let index = stream.index(of: name) else { continue }
            if case .outcome = stream.kind { continue }
            self.leaveSeat(stream)
            guard stream.subscriptions[index].log.beginAnew() else { continue }
            self.catchUp(stream)
        }
    }

    /// Forgets what was read of a channel's log for streams that come to the same place.
    func forgetPages(of name: ChannelName) {
        self.pages.removeAll { $0.channel == name }
    }
}
