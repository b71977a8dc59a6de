import ToastCore

extension MemoryStore {
    /// A kept event: as a value until its first read encodes it; one with free content is encoded at once.
    enum KeptEvent {
        case unwritten(Event)
        case written(StoredEvent)

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

    struct Channel {
        var bounds: LogBounds
        /// The kept events: `bounds.first` to `bounds.last`, without a gap.
        private var events: [KeptEvent] = []
        private(set) var snapshot: StoredSnapshot?
        private(set) var records = MemoryRecords()
        var webhooks: [Webhook] = []

        init(after offset: Offset) { self.bounds = .beginning(after: offset) }

        /// When the last kept event happened; `nil` when none is kept.
        var lastInstant: Instant? { self.events.last?.at }

        /// The events after an offset; each is encoded at most once, by its first read.
        mutating func read(
            _ channel: ChannelName,
            _ epoch: Epoch,
            after offset: Offset,
            limit: Int,
            bytes: Int = .max
        ) -> [StoredEvent] {
            guard offset < self.bounds.last else { return [] }
            let start = max(0, offset.rawValue - self.bounds.first.rawValue + 1)
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

        /// Checks the offset that an append expects, and lets a fresh channel begin there.
        mutating func checkExpected(_ expected: Offset, floor: Offset) throws(StoreError) {
            let bounds = self.bounds.isFresh ? .beginning(after: floor) : self.bounds
            guard bounds.accepts(expected) else { throw .conflict(current: bounds.last) }
            if bounds.isFresh { self.bounds = .beginning(after: expected) }
        }

        mutating func append(_ change: Append, _ epoch: Epoch) {
            switch change.events {
            case .written(let events):
                for event in events { self.events.append(.written(event)) }
            case .unwritten(let events):
                for event in events {
                    let kept = KeptEvent.unwritten(event)
                    let isSmall = !event.kind.mayHaveFreeContent
                    self.events.append(isSmall ? kept : .written(kept.stored(change.channel, epoch)))
                }
            }
            self.bounds.last = change.end
            if change.end > change.expected || change.snapshot != nil { self.bounds.isFresh = false }
            for record in change.records { self.records.add(record) }
            for owner in change.displaced { self.records.removeOldest(of: owner) }
            for outcome in change.outcomes { self.records.note(outcome) }
            if let snapshot = change.snapshot {
                self.snapshot = snapshot
                self.bounds.snapshot = snapshot.offset
            }
        }

        mutating func forgetSurplus(_ retention: Retention) {
            guard let overflow = self.bounds.overflow(over: retention.events) else { return }
            self.forget(through: overflow)
        }

        mutating func prune(at now: Instant, retention: Retention) {
            self.forget(through: self.bounds.surplus(over: retention.events))
            let old = self.events.prefix { $0.at + retention.age < now }
            let end = Offset(rawValue: self.bounds.first.rawValue + Int64(old.count) - 1)
            self.forget(through: min(end, self.bounds.snapshot))
            self.records.remove { $0.at + retention.recordAge < now }
        }

        private mutating func forget(through offset: Offset) {
            let count = offset.rawValue - self.bounds.first.rawValue + 1
            guard count > 0 else { return }
            self.events.removeFirst(Int(count))
            self.bounds.first = offset.next
        }
    }
}
