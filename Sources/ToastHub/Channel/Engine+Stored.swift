import ToastCore

extension Engine {
    /// A channel as a store has it.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - epoch: The epoch of the store.
    ///   - stored: What the store has.
    /// - Throws: `corrupt` when what was stored makes no sense.
    init(
        channel: ChannelName,
        epoch: Epoch,
        _ stored: StoredChannel
    ) throws(StoreError) {
        do throws(ValidationError) {
            if let snapshot = stored.snapshot {
                self = try Engine(channel: channel, epoch: epoch, restoring: snapshot.state)
            } else {
                // Nothing is forgotten before there is a snapshot, so what is there is there from the first event on.
                let first = stored.tail.first.map { Offset(rawValue: $0.offset.rawValue - 1) }
                self.init(channel: channel, epoch: epoch, behind: first ?? stored.last)
            }
            for event in stored.tail { self.fold(try Event(envelope: event.envelope)) }
        } catch {
            throw .corrupt("channel \(channel): \(error.issues.first?.detail ?? "unreadable")")
        }
    }
}

extension Engine {
    /// Changes several toasts, all or none; one that leaves because another one changed stays as it went.
    mutating func update(_ ids: [ToastID], _ patch: ToastPatch, at now: Instant) throws(EngineError) -> [Event] {
        var trial = self
        var events: [Event] = []
        for id in ids where trial.toast(id)?.state != .dismissed {
            events += try trial.apply(.update(id, patch, ifRevision: nil), at: now)
        }
        self = trial
        return events
    }
}
