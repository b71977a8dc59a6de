extension Engine {
    /// The durable state as JSON, for ``init(channel:epoch:restoring:)``: everything but the audience.
    ///
    /// Must not be stored while ``owesConfiguration``.
    public func snapshotState() -> [UInt8] {
        var writer = JSONWriter(capacity: 256 + 384 * self.toasts.count)
        writer.object { writer in
            writer.member("offset", self.offset.rawValue)
            writer.member("at", self.lastInstant)
            writer.member("freeAt", self.lanes.map(\.freeAt))
            writer.member("settings", self.settings)
            if !self.settings.defaults.isEmpty { writer.member("defaults", self.settings.defaults) }
            writer.array("presented") { writer in
                for slot in self.lanes.flatMap(\.presented) { self.write(slot.id, slot, to: &writer) }
            }
            writer.array("queued") { writer in
                for waiting in self.queueOrder { self.write(waiting.id, nil, to: &writer) }
                for waiting in self.delayed.elements { self.write(waiting.id, nil, to: &writer) }
            }
            writer.array("dismissed") { writer in
                for id in self.history { self.write(id, nil, to: &writer) }
            }
        }
        return writer.bytes
    }

    /// A channel as ``snapshotState()`` wrote it, without an audience; throws the first invalid member.
    public init(channel: ChannelName, epoch: Epoch, restoring state: [UInt8]) throws(ValidationError) {
        self.init(channel: channel, epoch: epoch)
        let json = try JSON(stored: state)
        let reader = RecordReader(record: json)
        self.settings = try Settings(json: try reader.member("settings"), over: json["defaults"]?.object ?? [:])
        self.lanes = try self.restoreLanes(try reader.member("freeAt"))
        for value in try reader.array("presented") { try self.restoreSlot(RecordReader(record: value)) }
        for value in try reader.array("queued") {
            self.lineUp(try self.restoreEntry(RecordReader(record: value), .queued))
        }
        for value in try reader.array("dismissed") {
            self.history.append(try self.restoreEntry(RecordReader(record: value), .dismissed).toast.id)
        }
        self.offset = try reader.offset("offset")
        self.lastInstant = try reader.read("at") { Instant($0) }
    }

    private func write(_ id: ToastID, _ slot: Slot?, to writer: inout JSONWriter) {
        guard let entry = self.toasts[id] else { return }
        writer.object { writer in
            writer.member("sequence", entry.sequence.rawValue)
            writer.member("toast", entry.toast)
            if entry.since != entry.toast.createdAt { writer.member("since", entry.since) }
            guard let slot else { return }
            if slot.place != slot.sequence { writer.member("place", slot.place.rawValue) }
            if entry.lane != self.lane(of: entry.toast.content) { writer.member("lane", entry.lane) }
            switch slot.countdown {
            case .indefinite: break
            case .running(let end): writer.member("until", end)
            case .frozen(let remaining): writer.member("remaining", remaining)
            }
            if !slot.holds.isEmpty { writer.member("holds", slot.holds) }
            if !slot.heldTimes.isEmpty { writer.member("heldTimes", slot.heldTimes) }
        }
    }

    /// Empty lanes; versions that had only one lane wrote an instant instead of a list.
    private func restoreLanes(_ freeAt: JSON) throws(ValidationError) -> [Lane] {
        let count = self.effective.lanes.count
        let texts = freeAt.array ?? Array(repeating: freeAt, count: count)
        let instants = texts.compactMap { $0.string.flatMap { Instant($0) } }
        guard instants.count == count else { throw RecordReader(record: freeAt).error("freeAt") }
        return instants.map { Lane(freeAt: $0) }
    }

    private mutating func restoreEntry(_ reader: RecordReader, _ state: ToastState) throws(ValidationError) -> Entry {
        let toast = try Toast(json: try reader.member("toast"))
        let lane = reader.record["lane"] == nil ? self.lane(of: toast.content) : try reader.integer("lane")
        guard self.lanes.indices.contains(lane), self.toasts[toast.id] == nil, toast.state == state else {
            throw reader.error("toast")
        }
        let entry = Entry(
            toast: toast,
            sequence: try reader.offset("sequence"),
            since: try reader.optional("since") { Instant($0) } ?? toast.createdAt,
            lane: lane
        )
        self.toasts[toast.id] = entry
        return entry
    }

    private mutating func restoreSlot(_ reader: RecordReader) throws(ValidationError) {
        let entry = try self.restoreEntry(reader, .presented)
        let place = reader.record["place"] == nil ? entry.sequence : try reader.offset("place")
        var slot = Slot(id: entry.toast.id, sequence: entry.sequence, place: place, countdown: .indefinite)
        if let end = try reader.optional("until", { Instant($0) }) {
            slot.countdown = .running(until: end)
        } else if let remaining = try reader.optionalSeconds("remaining") {
            slot.countdown = .frozen(remaining)
        }
        for value in reader.record["holds"] == nil ? [] : try reader.array("holds") {
            let hold = RecordReader(record: value)
            let until = try hold.read("until") { Instant($0) }
            // Versions without a limit on the time of a holder did not write when a hold began.
            let since = try hold.optional("since") { Instant($0) } ?? until + (Interval.zero - Self.maximumLease)
            slot.holds.append(Slot.Hold(holder: try hold.read("holder") { $0 }, since: since, until: until))
        }
        for value in reader.record["heldTimes"] == nil ? [] : try reader.array("heldTimes") {
            let time = RecordReader(record: value)
            let holder = try time.read("holder") { $0 }
            slot.heldTimes.append(Slot.HeldTime(holder: holder, length: try time.seconds("length")))
        }
        self.lanes[entry.lane].show(slot)
    }
}

extension Slot.Hold: JSONWritable {
    /// Writes `{"holder", "since", "until"}`.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("holder", self.holder)
            writer.member("since", self.since)
            writer.member("until", self.until)
        }
    }
}

extension Slot.HeldTime: JSONWritable {
    /// Writes `{"holder", "length"}`.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("holder", self.holder)
            writer.member("length", self.length)
        }
    }
}
