/// The title of a toast.
public enum ToastTitle: Sendable, Hashable, ExpressibleByStringLiteral {
    /// A title of the publisher's.
    case text(ToastText)
    /// The role's own title, in the reader's language: the viewer has the words.
    case automatic
    /// No title.
    ///
    /// It is not named `none`, which would mean `nil` where a title is optional.
    case noTitle

    /// Makes a value from a literal.
    public init(stringLiteral value: String) { self = .text(.plain(value)) }

    /// The publisher's title, if there is one.
    public var text: ToastText? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

extension ToastTitle: Codable {
    private enum CodingKeys: String, CodingKey { case automatic }

    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decodeNil() {
            self = .noTitle
        } else if let members = try? decoder.container(keyedBy: CodingKeys.self),  // An error means: it is a string.
            members.contains(.automatic)
        {
            self = .automatic
        } else {
            self = .text(try ToastText(from: decoder))
        }
    }

    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .text(let text): try text.encode(to: encoder)
        case .automatic:
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(true, forKey: .automatic)
        case .noTitle:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}

extension KeyedDecodingContainer {
    /// Reads the title of a toast: an absent one is the role's own.
    ///
    /// The compiler calls it in the initializer that it makes for `Toast`.
    func decode(_ type: ToastTitle.Type, forKey key: Key) throws -> ToastTitle {
        self.contains(key) ? try ToastTitle(from: self.superDecoder(forKey: key)) : .automatic
    }
}
