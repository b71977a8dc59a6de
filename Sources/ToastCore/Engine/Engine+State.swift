extension Engine {
    /// The durable state as JSON, for ``init(channel:epoch:restoring:)``: everything but the audience.
    public func snapshotState() -> [UInt8] {
        var writer = JSONWriter(capacity: 256 + 384 * self.toasts.count)
        writer.object { writer in
            writer.member("offset", self.offset.rawValue)
            writer.member("at", self.lastInstant)
            writer.member("freeAt", self.lane.freeAt)
            writer.member("settings", self.settings)
            writer.name("presented")
            writer.array { writer in
                for slot in self.lane.presented { self.write(slot.id, slot, to: &writer) }
            }
            writer.name("queued")
            writer.array { writer in
                for ticket in self.lane.queue.elements { self.write(ticket.id, nil, to: &writer) }
            }
            writer.name("dismissed")
            writer.array { writer in
                for id in self.history { self.write(id, nil, to: &writer) }
            }
        }
        return writer.bytes
    }

    /// A channel as ``snapshotState()`` wrote it, with nobody attached.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - epoch: The epoch of its offsets.
    ///   - state: What was written.
    /// - Throws: The first member that makes no sense; the document itself when it is no JSON.
    public init(channel: ChannelName, epoch: Epoch, restoring state: [UInt8]) throws(ValidationError) {
        self.init(channel: channel, epoch: epoch)
        let json = try JSON(stored: state)
        let reader = RecordReader(json)
        self.adopt(try Settings(json: try reader.member("settings")))
        for value in try reader.array("presented") {
            self.lane.presented.append(try self.restoreSlot(RecordReader(value)))
        }
        for value in try reader.array("queued") {
            let entry = try self.restoreEntry(RecordReader(value))
            self.lane.lineUp(entry.toast, sequence: entry.sequence, mode: self.effective.mode)
        }
        for value in try reader.array("dismissed") {
            self.history.append(try self.restoreEntry(RecordReader(value)).toast.id)
        }
        self.offset = Offset(rawValue: Int64(try reader.integer("offset")))
        self.lastInstant = try reader.read("at") { Instant($0) }
        self.lane.freeAt = try reader.read("freeAt") { Instant($0) }
    }

    private func write(_ id: ToastID, _ slot: Slot?, to writer: inout JSONWriter) {
        guard let entry = self.toasts[id] else { return }
        writer.object { writer in
            writer.member("sequence", entry.sequence.rawValue)
            writer.member("toast", entry.toast)
            guard let slot else { return }
            switch slot.countdown {
            case .indefinite: break
            case .running(let end): writer.member("until", end)
            case .frozen(let remaining): writer.member("remaining", remaining)
            }
            if !slot.holds.isEmpty { writer.member("holds", slot.holds) }
        }
    }

    private mutating func restoreEntry(_ reader: RecordReader) throws(ValidationError) -> Entry {
        let entry = Entry(
            toast: try Toast(json: try reader.member("toast")),
            sequence: Offset(rawValue: Int64(try reader.integer("sequence")))
        )
        self.toasts[entry.toast.id] = entry
        return entry
    }

    private mutating func restoreSlot(_ reader: RecordReader) throws(ValidationError) -> Slot {
        let id = try self.restoreEntry(reader).toast.id
        var slot = Slot(id: id, countdown: .indefinite)
        if let end = try reader.optional("until", { Instant($0) }) {
            slot.countdown = .running(until: end)
        } else if let remaining = try reader.optionalSeconds("remaining") {
            slot.countdown = .frozen(remaining)
        }
        guard reader.record["holds"] != nil else { return slot }
        for value in try reader.array("holds") {
            let hold = RecordReader(value)
            slot.holds.append(
                Slot.Hold(holder: try hold.read("holder") { $0 }, until: try hold.read("until") { Instant($0) })
            )
        }
        return slot
    }
}

extension Slot.Hold: JSONWritable {
    /// Writes `{"holder", "until"}`.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("holder", self.holder)
            writer.member("until", self.until)
        }
    }
}
