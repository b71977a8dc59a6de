import ToastCore

extension Fanout {
    /// Marks a waiting publisher, so that its toast is dismissed when the last such publisher loses its connection.
    ///
    /// A client that lost its connection may repeat the request under the same key before the server notices the loss
    /// of the first connection.
    func markForWithdrawal(_ id: StreamID) {
        guard let stream = self.stream(id), case .outcome(let toast, _) = stream.kind else { return }
        stream.withdraws = true
        self.hub.waitingPublishers.add(toast)
    }

    /// Dismisses the toast of a marked publisher that has lost its connection, unless another one waits for it.
    func withdraw(_ stream: Stream, _ end: StreamEnd) {
        guard stream.takeWithdrawal(), case .outcome(let toast, _) = stream.kind else { return }
        guard self.hub.waitingPublishers.remove(toast), end == .peer, let name = stream.subscriptions.first?.channel
        else { return }
        Task {
            // If the store fails, the toast stays: a dismissal must be stored.
            _ = try? await self.hub.perform(.dismiss(toast, .api), on: name)
        }
    }
}
