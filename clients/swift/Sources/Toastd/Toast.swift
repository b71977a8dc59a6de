/// A toast as the server shows it.
///
/// Members that this version does not know are ignored.
public struct Toast: Sendable, Hashable, Identifiable, Decodable {
    /// The identifier.
    public let id: String
    /// The name of the channel.
    public let channel: String
    /// The number of changes plus one.
    public let revision: Int
    /// `queued`, `presented` or `dismissed`.
    public let state: String
    /// Absent, like all content, in the receipt that a client without the scope `subscribe` gets.
    public let role: ToastRole?
    /// The title; `automatic` also in a receipt.
    public let title: ToastTitle
    /// The text.
    public let message: ToastText?
    /// The name of an icon; by default the role's.
    public let icon: String?
    /// The name of the style.
    public let style: String?
    /// `top`, `center` or `bottom`.
    public let placement: String?
    /// `start`, `center` or `end` of the edge.
    public let align: String?
    /// The time on screen.
    public let duration: ToastDuration?
    /// The vibration, such as `success` or `none`.
    public let haptic: String?
    /// Up to three buttons.
    public let actions: [ToastAction]?
    /// The progress of the work.
    public let progress: ToastProgress?
    /// A picture instead of the icon.
    public let image: ToastImage?
    /// What a tap on the toast opens.
    public let link: String?
    /// Toasts with the same identifier can be one toast.
    public let reuseIdentifier: String?
    /// When it joins the queue.
    public let notBefore: String?
    /// Whether a person with assistive technology must dismiss it.
    public let requiresInteraction: Bool?
    /// Whether the page behind it is dimmed.
    public let dimsBackground: Bool?
    /// The look, as the API describes it.
    public let appearance: JSON?
    /// The seconds that it may wait to be presented.
    public let expiresAfter: Double?
    /// The publisher's own data.
    public let data: JSON?
    /// When it was accepted (RFC 3339, in UTC).
    public let createdAt: String
    /// When it was presented.
    public let presentedAt: String?
    /// When it ended.
    public let dismissedAt: String?
    /// Why it ended, such as `timeout` or `action`.
    public let dismissReason: String?
    /// The id of the pressed action.
    public let action: String?
    /// Members of the draft that have no effect; only in the answer to the request that sent them.
    public let warnings: [ToastWarning]?
}

/// What a toast is about.
///
/// A server may have further roles.
public struct ToastRole: RawRepresentable, Sendable, Hashable, Codable {
    /// The name in the API.
    public let rawValue: String
    /// A role of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Something was done.
    public static let success = ToastRole(rawValue: "success")
    /// Something failed.
    public static let error = ToastRole(rawValue: "error")
    /// Something needs attention.
    public static let warning = ToastRole(rawValue: "warning")
    /// Something happened.
    public static let info = ToastRole(rawValue: "info")
}

/// A text, or the name of a text that the server looks up in the reader's language.
public enum ToastText: Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    case plain(String)
    case localized(key: String, arguments: [JSON] = [], default: String? = nil, text: String? = nil)

    /// Makes a value from a literal.
    public init(stringLiteral value: String) { self = .plain(value) }

    /// The text to show.
    public var description: String {
        switch self {
        case .plain(let text): text
        case .localized(let key, _, let fallback, let text): text ?? fallback ?? key
        }
    }

    private enum CodingKeys: String, CodingKey { case key, arguments, `default`, text }

    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {  // An error means: it is an object.
            self = .plain(text)
            return
        }
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self = .localized(
            key: try members.decode(String.self, forKey: .key),
            arguments: try members.decodeIfPresent([JSON].self, forKey: .arguments) ?? [],
            default: try members.decodeIfPresent(String.self, forKey: .default),
            text: try members.decodeIfPresent(String.self, forKey: .text)
        )
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .plain(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        case .localized(let key, let arguments, let fallback, _):
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(key, forKey: .key)
            if !arguments.isEmpty { try members.encode(arguments, forKey: .arguments) }
            try members.encodeIfPresent(fallback, forKey: .default)
        }
    }
}

/// The time of a toast on screen.
public enum ToastDuration: Sendable, Hashable, Codable {
    /// The channel's short or long time; a server answers with seconds.
    case short, long
    case indefinite
    case seconds(Double)

    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let seconds = try? container.decode(Double.self) {  // An error means: it is a word.
            self = .seconds(seconds)
            return
        }
        switch try container.decode(String.self) {
        case "short": self = .short
        case "long": self = .long
        default: self = .indefinite
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .short: try container.encode("short")
        case .long: try container.encode("long")
        case .indefinite: try container.encode("indefinite")
        case .seconds(let seconds): try container.encode(seconds)
        }
    }
}

/// A button of a toast.
public struct ToastAction: Sendable, Hashable, Identifiable, Codable {
    /// The identifier.
    public var id: String
    /// The title.
    public var title: ToastText
    /// `destructive` or `cancel`.
    public var role: String?
    /// A page that a press opens.
    public var url: String?
    /// What a press does with the toast: `true` (the default) and `false`, or `"whenDone"`.
    public var dismisses: JSON?
    /// Whether it was pressed and its work continues.
    public var pending: Bool?

    /// Makes a value from its members; those that are nil are left out.
    public init(id: String, title: ToastText, role: String? = nil, url: String? = nil, dismisses: JSON? = nil) {
        self.id = id
        self.title = title
        self.role = role
        self.url = url
        self.dismisses = dismisses
    }
}

/// The progress of the work that a toast is about: `value` of `total`, or indeterminate.
public struct ToastProgress: Sendable, Hashable, Codable {
    /// The completed part.
    public var value: Double?
    /// The whole.
    ///
    /// Without it, a patch leaves the whole as it is; a new toast has 1, and one that was indeterminate. A determinate
    /// progress of the server always has it.
    public var total: Double?
    /// Whether the progress is unknown.
    public var indeterminate: Bool?
    /// Seconds that the toast stays after the work is complete.
    public var dismissAfter: Double?

    /// Unknown progress.
    public static let indeterminate = ToastProgress(indeterminate: true)

    /// Makes a value from its members; those that are nil are left out.
    public init(value: Double, total: Double? = nil, dismissAfter: Double? = nil) {
        self.value = value
        self.total = total
        self.dismissAfter = dismissAfter
    }

    private init(indeterminate: Bool) { self.indeterminate = indeterminate }

    /// From 0 to 1; nil if it is indeterminate, or a draft without `total`.
    public var fraction: Double? {
        // In a patch, the whole is that of the toast, which is not known here.
        guard let value, let total, total > 0 else { return nil }
        return value / total
    }
}

/// A picture.
public struct ToastImage: Sendable, Hashable, Codable {
    /// The address.
    public var url: String
    /// The text for people who do not see it.
    public var alt: String?

    /// Makes a value from its members; those that are nil are left out.
    public init(url: String, alt: String? = nil) {
        self.url = url
        self.alt = alt
    }
}

/// What the server accepted but ignores: a JSON Pointer and a sentence.
public struct ToastWarning: Sendable, Hashable, Decodable {
    /// The member, as a JSON Pointer.
    public let pointer: String
    /// What is wrong with it.
    public let detail: String
    /// For two colours, their contrast, 1 to 21.
    public let ratio: Double?
}
