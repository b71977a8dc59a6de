extension Event {
    /// Writes the event's envelope.
    ///
    /// - Parameters:
    ///   - writer: Where to.
    ///   - channel: The channel of the event.
    ///   - epoch: The epoch of its offset.
    public func write(to writer: inout JSONWriter, channel: ChannelName, epoch: Epoch) {
        writer.envelope(self.type, channel: channel, epoch: epoch, offset: self.offset, at: self.at) { writer in
            switch self.kind {
            case .enqueued(let toast):
                writer.member("toast", toast)
            // `remaining` is the first member behind those that all have: see ``StoredEvent/aged(to:)``.
            case .presented(let toast, let presentation):
                writer.member("remaining", presentation.remaining)
                writer.member("toast", toast)
                writer.member("haptic", presentation.haptic)
                writer.member("announcement", presentation.announcement)
            case .updated(let toast, let update):
                writer.member("remaining", update.remaining)
                writer.member("toast", toast)
                writer.member("changed", update.changed)
                if update.moved { writer.member("moved", true) }
                writer.member("announcement", update.announcement)
            case .acted(let id, let action, let data):
                writer.member("id", id)
                writer.member("action", action)
                writer.member("data", data)
            case .dismissed(let id, let reason, let action, let exit, let data):
                writer.member("id", id)
                writer.member("dismissReason", reason)
                writer.member("action", action)
                writer.member("exit", exit)
                writer.member("data", data)
            case .held(let id, let holder, let remaining, let lease):
                writer.member("id", id)
                writer.member("holder", holder)
                writer.member("remaining", remaining)
                writer.member("lease", lease)
            case .released(let id, let holder, let remaining, let isHeld):
                if !isHeld { writer.member("remaining", remaining) }
                writer.member("id", id)
                writer.member("holder", holder)
                if isHeld {
                    writer.member("remaining", remaining)
                    writer.member("held", true)
                }
            case .configured(let settings):
                writer.member("effective", settings.effective)
                writer.member("own", settings)
                if !settings.defaults.isEmpty { writer.member("defaults", settings.defaults) }
            }
        }
    }

    /// The event as a store keeps it.
    public func stored(channel: ChannelName, epoch: Epoch) -> StoredEvent {
        var writer = JSONWriter()
        return self.stored(channel: channel, epoch: epoch, by: &writer)
    }

    /// Events of a channel as a store keeps them.
    public static func stored(_ events: [Event], channel: ChannelName, epoch: Epoch) -> [StoredEvent] {
        var writer = JSONWriter(capacity: 512 * min(events.count, 128))
        var stored: [StoredEvent] = []
        stored.reserveCapacity(events.count)
        for event in events { stored.append(event.stored(channel: channel, epoch: epoch, by: &writer)) }
        return stored
    }

    private func stored(channel: ChannelName, epoch: Epoch, by writer: inout JSONWriter) -> StoredEvent {
        let envelope = writer.separately { self.write(to: &$0, channel: channel, epoch: epoch) }
        return StoredEvent(offset: self.offset, at: self.at, envelope: envelope)
    }

    /// Reads an envelope that a store kept.
    ///
    /// - Parameter envelope: What ``write(to:channel:epoch:)`` wrote.
    /// - Throws: The first member that makes no sense; the document itself when it is no JSON.
    public init(envelope: [UInt8]) throws(ValidationError) {
        try self.init(json: JSON(stored: envelope))
    }

    /// Reads an envelope that a store kept.
    ///
    /// - Parameter json: What ``write(to:channel:epoch:)`` wrote.
    /// - Throws: The first member that makes no sense.
    public init(json: JSON) throws(ValidationError) {
        let reader = RecordReader(json)
        let cursor = try reader.read("cursor") { Cursor($0) }
        guard case .single(let offset) = cursor.position, offset <= .greatest else { throw reader.error("cursor") }
        self.init(
            offset: offset,
            at: try reader.read("at") { Instant($0) },
            kind: try Kind(type: try reader.read("type") { EventType(rawValue: $0) }, reader)
        )
    }
}

extension StoredEvent {
    /// The cursor that the event was stored under; `nil` when the envelope cannot be read.
    public var cursor: Cursor? {
        guard let json = try? JSON(stored: self.envelope) else { return nil }
        return json.object?["cursor"]?.string.flatMap { Cursor($0) }
    }

    /// The envelope as it is told again at an instant: `remaining` is what is left by then.
    ///
    /// Counted down is what stands right behind the instant of the event, as ``Event/write(to:channel:epoch:)`` has it for
    /// whatever counts down; what is held has it elsewhere. An older version wrote it elsewhere, too, and so it stays as it was.
    ///
    /// - Parameter now: The instant.
    /// - Returns: The envelope.
    public func aged(to now: Instant) -> [UInt8] {
        let age = (now - self.at).milliseconds
        guard age > 0, let start = self.remainingPlace else { return self.envelope }
        let end = self.envelope[start...].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
        guard let end, let seconds = Double(String(decoding: self.envelope[start..<end], as: UTF8.self)) else {
            return self.envelope
        }
        var writer = JSONWriter(capacity: 16)
        writer.value(Interval(milliseconds: max(0, Int64((seconds * 1000).rounded()) - age)))
        return self.envelope[..<start] + writer.bytes + self.envelope[end...]
    }

    /// Where the number is of a `remaining` that counts down.
    private var remainingPlace: Int? {
        // The names before it hold neither a quote nor a colon within.
        let head = self.envelope.prefix(256)
        guard let place = head.indices.dropFirst(16).first(where: { head[$0...].starts(with: Self.instantName) }) else {
            return nil
        }
        let next = place + Self.instantName.count + Instant.textLength + 1
        guard self.envelope.count > next, self.envelope[next...].starts(with: Self.remainingName) else { return nil }
        return next + Self.remainingName.count
    }

    private static let instantName = Array(#""at":""#.utf8)
    private static let remainingName = Array(#","remaining":"#.utf8)

    /// The text of the toast of an `enqueued` event: what the toast itself would write as it was then.
    ///
    /// It is the last member of its envelope, and no member before it holds a brace; these take more than 64 bytes.
    public var enqueuedToast: ArraySlice<UInt8> {
        let start = self.envelope.dropFirst(64).firstIndex(of: UInt8(ascii: "{")) ?? self.envelope.endIndex
        return self.envelope[start...].dropLast()
    }
}

extension Event.Kind {
    fileprivate init(type: EventType, _ reader: RecordReader) throws(ValidationError) {
        func toast() throws(ValidationError) -> Toast { try Toast(json: try reader.member("toast")) }
        func id() throws(ValidationError) -> ToastID { try reader.read("id") { ToastID($0) } }
        func holder() throws(ValidationError) -> String { try reader.read("holder") { $0 } }
        let remaining = try reader.optionalSeconds("remaining")
        let action = try reader.optional("action") { $0 }
        let data = reader.record["data"]
        let announcement = try reader.optional("announcement") { $0 }

        switch type {
        case .enqueued:
            self = .enqueued(try toast())
        case .presented:
            let haptic = try reader.optional("haptic") { Haptic(rawValue: $0) }
            self = .presented(
                try toast(),
                Presentation(remaining: remaining, haptic: haptic, announcement: announcement)
            )
        case .updated:
            self = .updated(
                try toast(),
                Update(
                    changed: try reader.array("changed").compactMap(\.string),
                    remaining: remaining,
                    moved: reader.record["moved"] == true,
                    announcement: announcement
                )
            )
        case .acted:
            guard let action else { throw reader.error("action") }
            self = .acted(try id(), action: action, data: data)
        case .dismissed:
            // What an older version wrote has it as `reason`.
            let name = reader.record["dismissReason"] == nil ? "reason" : "dismissReason"
            let reason = try reader.read(name) { DismissReason(rawValue: $0) }
            let exit = try reader.seconds("exit")
            self = .dismissed(try id(), reason: reason, action: action, exit: exit, data: data)
        case .held:
            let lease = try reader.seconds("lease")
            self = .held(try id(), holder: try holder(), remaining: remaining, lease: lease)
        case .released:
            let isHeld = reader.record["held"] == true
            self = .released(try id(), holder: try holder(), remaining: remaining, isHeld: isHeld)
        case .configured:
            let defaults = reader.record["defaults"]?.object ?? [:]
            self = .configured(try Settings(json: try reader.member("own"), over: defaults))
        case .snapshot, .resumed, .shutdown:
            throw reader.error("type")
        }
    }
}

extension JSON {
    /// Reads what this service wrote, which is nested deeper than what publishers may send.
    init(stored bytes: [UInt8]) throws(ValidationError) {
        do {
            self = try JSON(parsing: bytes, depthLimit: 2 * Limits.standard.depth)
        } catch {
            throw ValidationError(error.pointer ?? "", error.detail)
        }
    }
}
