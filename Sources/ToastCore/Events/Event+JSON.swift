extension Event {
    /// Writes the event's envelope.
    public func write(to writer: inout JSONWriter, channel: ChannelName, epoch: Epoch) {
        writer.envelope(self.type, channel: channel, epoch: epoch, offset: self.offset, at: self.at) { writer in
            switch self.kind {
            case .enqueued(let toast):
                writer.member("toast", toast)
            // `remaining` directly follows the members that all envelopes have: see ``StoredEvent/aged(to:_:)``.
            case .presented(let toast, let presentation):
                writer.member("remaining", presentation.remaining)
                writer.member("toast", toast)
                writer.member("haptic", presentation.haptic)
                writer.member("announcement", presentation.announcement)
            case .updated(let toast, let update):
                if !update.isHeld { writer.member("remaining", update.remaining) }
                writer.member("toast", toast)
                writer.held(update.isHeld, remaining: update.remaining)
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
                writer.held(isHeld, remaining: remaining)
            case .configured(let settings):
                writer.member("effective", settings.effective)
                writer.member("own", settings)
                if !settings.defaults.isEmpty { writer.member("defaults", settings.defaults) }
            }
        }
    }

    /// Reads a stored envelope; throws the first invalid member.
    public init(envelope: [UInt8]) throws(ValidationError) {
        try self.init(json: JSON(stored: envelope))
    }

    /// Reads a stored envelope; throws the first invalid member.
    public init(json: JSON) throws(ValidationError) {
        let reader = RecordReader(record: json)
        let cursor = try reader.read("cursor") { Cursor($0) }
        guard case .single(let offset) = cursor.position, offset <= .greatest else { throw reader.error("cursor") }
        self.init(
            offset: offset,
            at: try reader.read("at") { Instant($0) },
            kind: try Kind(type: try reader.read("type") { EventType(rawValue: $0) }, reader)
        )
    }
}

extension JSONWriter {
    /// Writes that a toast is held, and the time that it has left, which does not run.
    fileprivate mutating func held(_ isHeld: Bool, remaining: Interval?) {
        guard isHeld else { return }
        self.member("remaining", remaining)
        self.member("held", true)
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
            let presentation = Presentation(remaining: remaining, haptic: haptic, announcement: announcement)
            self = .presented(try toast(), presentation)
        case .updated:
            self = .updated(
                try toast(),
                Update(
                    changed: try reader.array("changed").compactMap(\.string),
                    remaining: remaining,
                    isHeld: reader.record["held"] == true,
                    moved: reader.record["moved"] == true,
                    announcement: announcement
                )
            )
        case .acted:
            guard let action else { throw reader.error("action") }
            self = .acted(try id(), action: action, data: data)
        case .dismissed:
            // An older version called it `reason`.
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
