import ToastCore

extension MemoryStore {
    /// An event that is kept: as it happened until somebody reads it, and from then on as text.
    enum Kept {
        case unwritten(Event)
        case written(StoredEvent)

        var offset: Offset {
            switch self {
            case .unwritten(let event): event.offset
            case .written(let event): event.offset
            }
        }

        var at: Instant {
            switch self {
            case .unwritten(let event): event.at
            case .written(let event): event.at
            }
        }

        func stored(_ channel: ChannelName, _ epoch: Epoch) -> StoredEvent {
            switch self {
            case .unwritten(let event): event.stored(channel: channel, epoch: epoch)
            case .written(let event): event
            }
        }
    }

    /// What is kept of a channel.
    struct Channel {
        var standing: LogBounds
        /// The kept events: `standing.first` to `standing.last`, without a gap.
        private var events: [Kept] = []
        private(set) var snapshot: StoredSnapshot?
        private(set) var records = MemoryRecords()
        var webhooks: [Webhook] = []

        init(behind offset: Offset) { self.standing = .beginning(behind: offset) }

        /// When the last event happened that is kept.
        var lastInstant: Instant? { self.events.last?.at }

        /// The events behind an offset; each is written once, however many read it.
        mutating func read(
            _ channel: ChannelName,
            _ epoch: Epoch,
            after offset: Offset,
            limit: Int,
            bytes: Int = .max
        ) -> [StoredEvent] {
            guard offset < self.standing.last else { return [] }
            let start = max(0, offset.rawValue - self.standing.first.rawValue + 1)
            var (events, room): ([StoredEvent], Int) = ([], bytes)
            for index in self.events.indices[Int(start)...].prefix(max(limit, 0)) {
                let event = self.events[index].stored(channel, epoch)
                self.events[index] = .written(event)
                guard events.isEmpty || event.envelope.count <= room else { break }
                events.append(event)
                room -= event.envelope.count
            }
            return events
        }

        /// Stops whoever believes the channel to stand elsewhere.
        mutating func stand(at expected: Offset, floor: Offset) throws(StoreError) {
            let standing = self.standing.isFresh ? .beginning(behind: floor) : self.standing
            guard standing.admits(expected) else { throw .conflict(current: standing.last) }
            if standing.isFresh { self.standing = .beginning(behind: expected) }
        }

        mutating func append(_ change: Append, _ epoch: Epoch) {
            switch change.events {
            case .written(let events):
                for event in events { self.append(.written(event)) }
            case .unwritten(let events):
                for event in events {
                    let isSmall = !event.kind.hasFreeContent
                    self.append(
                        isSmall ? .unwritten(event) : .written(event.stored(channel: change.channel, epoch: epoch))
                    )
                }
            }
            for record in change.records { self.records.add(record) }
            for owner in change.displaced { self.records.removeOldest(of: owner) }
            for outcome in change.outcomes { self.records.note(outcome) }
            if let snapshot = change.snapshot {
                self.snapshot = snapshot
                self.standing.snapshot = snapshot.offset
            }
        }

        private mutating func append(_ event: Kept) {
            self.standing.last = event.offset
            self.standing.isFresh = false
            self.events.append(event)
        }

        mutating func forgetSurplus(_ retention: Retention) {
            guard let overflow = self.standing.overflow(over: retention.events) else { return }
            self.forget(through: overflow)
        }

        mutating func prune(at now: Instant, retention: Retention) {
            self.forget(through: self.standing.surplus(over: retention.events))
            let old = self.events.prefix { event in
                event.offset <= self.standing.snapshot && event.at + retention.age < now
            }
            if let last = old.last {
                self.forget(through: last.offset)
            }
            self.records.remove { $0.at + retention.recordAge < now }
        }

        private mutating func forget(through offset: Offset) {
            let count = offset.rawValue - self.standing.first.rawValue + 1
            guard count > 0 else { return }
            self.events.removeFirst(Int(count))
            self.standing.first = offset.next
        }
    }
}
