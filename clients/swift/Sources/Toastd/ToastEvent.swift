/// An event of a channel.
public struct ToastEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The state of the channel and the settings in force: the first event of a stream.
        ///
        /// `isReset` says that missed events are lost.
        case snapshot(presented: [PresentedToast], queuedCount: Int, effective: JSON, isReset: Bool)
        /// The missed events follow.
        case resumed
        case enqueued(Toast)
        case presented(PresentedToast)
        case updated(PresentedToast, changed: [String], isMoved: Bool)
        case acted(id: String, action: String, data: JSON?)
        /// A toast ended; `exit` is how many seconds it takes to leave the screen.
        case dismissed(id: String, reason: String, action: String?, exit: Double, data: JSON?)
        /// The countdown of a toast stopped, for `lease` seconds unless the holder goes on.
        case held(id: String, holder: String, remaining: Double?, lease: Double)
        /// A hold ended; `isHeld` says that there are others.
        case released(id: String, holder: String, remaining: Double?, isHeld: Bool)
        /// The settings changed: those in force, the channel's own, and the server's defaults for it.
        case configured(effective: JSON, own: JSON, defaults: JSON?)
        /// The server stops; it is asked again after so many seconds.
        case shutdown(retry: Double)
        /// An event of a newer server.
        case other(type: String)
    }

    /// What happened.
    public let kind: Kind
    /// Nil only for `shutdown`.
    public let channel: String?
    /// A stream that resumes from here continues after this event.
    public let cursor: String?
    /// RFC 3339, in UTC.
    public let at: String
}

/// A toast on screen.
public struct PresentedToast: Sendable, Hashable, Identifiable {
    /// The toast.
    public var toast: Toast
    /// Seconds that were left when the event was sent; nil if it is indefinite.
    public var remaining: Double?
    /// Whether its countdown is stopped.
    public var isHeld: Bool
    /// The text for screen readers.
    public var announcement: String?
    /// The vibration with which it appears, such as `success`; only in the event `presented`, and nil for none.
    public var haptic: String?

    /// The identifier.
    public var id: String { self.toast.id }
}

extension PresentedToast: Decodable {
    private enum CodingKeys: String, CodingKey { case toast, remaining, held, announcement, haptic }

    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.toast = try members.decode(Toast.self, forKey: .toast)
        self.remaining = try members.decodeIfPresent(Double.self, forKey: .remaining)
        self.isHeld = try members.decodeIfPresent(Bool.self, forKey: .held) ?? false
        self.announcement = try members.decodeIfPresent(String.self, forKey: .announcement)
        self.haptic = try members.decodeIfPresent(String.self, forKey: .haptic)
    }
}

extension ToastEvent: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, channel, cursor, at, toast, presented, queuedCount, reset, remaining, changed, moved, id, action
        case data, dismissReason, exit, holder, held, lease, effective, own, defaults, retry
    }

    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.channel = try members.decodeIfPresent(String.self, forKey: .channel)
        self.cursor = try members.decodeIfPresent(String.self, forKey: .cursor)
        self.at = try members.decode(String.self, forKey: .at)
        self.kind = try Self.kind(members, decoder)
    }

    private static func kind(
        _ members: KeyedDecodingContainer<CodingKeys>,
        _ decoder: any Decoder
    ) throws -> Kind {
        switch try members.decode(String.self, forKey: .type) {
        case "snapshot":
            return .snapshot(
                presented: try members.decode([PresentedToast].self, forKey: .presented),
                queuedCount: try members.decode(Int.self, forKey: .queuedCount),
                effective: try members.decode(JSON.self, forKey: .effective),
                isReset: try members.decode(Bool.self, forKey: .reset)
            )
        case "resumed": return .resumed
        case "enqueued": return .enqueued(try members.decode(Toast.self, forKey: .toast))
        case "presented": return .presented(try PresentedToast(from: decoder))
        case "updated":
            return .updated(
                try PresentedToast(from: decoder),
                changed: try members.decode([String].self, forKey: .changed),
                isMoved: try members.decodeIfPresent(Bool.self, forKey: .moved) ?? false
            )
        case "acted":
            return .acted(
                id: try members.decode(String.self, forKey: .id),
                action: try members.decode(String.self, forKey: .action),
                data: try members.decodeIfPresent(JSON.self, forKey: .data)
            )
        case "dismissed":
            return .dismissed(
                id: try members.decode(String.self, forKey: .id),
                reason: try members.decode(String.self, forKey: .dismissReason),
                action: try members.decodeIfPresent(String.self, forKey: .action),
                exit: try members.decode(Double.self, forKey: .exit),
                data: try members.decodeIfPresent(JSON.self, forKey: .data)
            )
        case "held":
            return .held(
                id: try members.decode(String.self, forKey: .id),
                holder: try members.decode(String.self, forKey: .holder),
                remaining: try members.decodeIfPresent(Double.self, forKey: .remaining),
                lease: try members.decode(Double.self, forKey: .lease)
            )
        case "released":
            return .released(
                id: try members.decode(String.self, forKey: .id),
                holder: try members.decode(String.self, forKey: .holder),
                remaining: try members.decodeIfPresent(Double.self, forKey: .remaining),
                isHeld: try members.decodeIfPresent(Bool.self, forKey: .held) ?? false
            )
        case "configured":
            return .configured(
                effective: try members.decode(JSON.self, forKey: .effective),
                own: try members.decode(JSON.self, forKey: .own),
                defaults: try members.decodeIfPresent(JSON.self, forKey: .defaults)
            )
        case "shutdown": return .shutdown(retry: try members.decode(Double.self, forKey: .retry))
        case let type: return .other(type: type)
        }
    }
}
