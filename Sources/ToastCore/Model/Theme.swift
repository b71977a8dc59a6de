/// Toaster's ten colours, where a channel sets them.
///
/// A missing key has its own default: the dark background does not follow the light one.
public struct Theme: Hashable, Sendable {
    /// A colour of a theme: "text" is the title, "subtext" the message; a role's colour is its sign's, in both modes.
    public enum Key: String, CaseIterable, Hashable, Sendable {
        case background, backgroundDark, textColor, textColorDark, subtextColor, subtextColorDark
        case errorColor, warningColor, infoColor, successColor

        /// The key in `ToasterConfig.plist`, as in `text_color_dark`.
        public var propertyListName: String {
            self.rawValue.reduce(into: "") { name, letter in
                if letter.isUppercase { name += "_" }
                name += letter.lowercased()
            }
        }

        /// The colour of a role's sign.
        public init(_ role: Role) {
            switch role {
            case .success: self = .successColor
            case .error: self = .errorColor
            case .warning: self = .warningColor
            case .info: self = .infoColor
            }
        }
    }

    private var colors: [Key: Color] = [:]

    /// The colour of a key, where one is set.
    public subscript(key: Key) -> Color? { self.colors[key] }

    /// The colour of a key, or its default: Toaster's, where its contrast suffices.
    ///
    /// Toaster takes the system's colours. Three of them are darker here, because on white the secondary label has a
    /// contrast of 3.44 (4.5 is needed to read it), green 2.22 and orange 2.20 (3 is needed to see a sign).
    public func resolved(_ key: Key) -> Color { self.colors[key] ?? Preset.toaster.effective.theme[key] ?? .black }
}

extension Theme: SettingGroup {
    static let members = Key.allCases.map { key in
        SettingMember<Self>(
            key.rawValue,
            read: { $1.colors[key] = $2.color($0) ?? $1.colors[key] },
            write: { $1.member(named: key.rawValue, $0[key]) }
        )
    }
}
