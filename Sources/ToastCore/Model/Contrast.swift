/// The light or dark mode of a device.
enum ColorScheme: CaseIterable {
    case light
    case dark

    /// The assumed colour of the page.
    var page: Color { self == .light ? .white : .black }

    var background: Theme.Key { self == .light ? .background : .backgroundDark }

    /// The texts of a toast: the name, which is also that of the group in the appearance, and the theme's colour.
    var texts: [(name: String, key: Theme.Key)] {
        switch self {
        case .light: [("title", .textColor), ("message", .subtextColor)]
        case .dark: [("title", .textColorDark), ("message", .subtextColorDark)]
        }
    }
}

/// A colour, and the member that sets it.
struct Paint {
    let color: Color

    /// The member that sets the colour; `nil` when the sender did not set it.
    var pointer: String?
}

extension Paint {
    /// The warning about this colour on a background; `nil` when the contrast suffices, or the sender set neither
    /// colour.
    func warning(on background: Self, _ name: String, in scheme: ColorScheme, isText: Bool) -> Warning? {
        guard let pointer = self.pointer ?? background.pointer else { return nil }
        let contrast = self.color.contrast(on: background.color, over: scheme.page)
        let needed = isText ? 4.5 : 3
        guard contrast < needed else { return nil }
        let ratio = min((contrast * 100).rounded(), needed * 100 - 1) / 100
        let rule =
            isText ? "4.5:1 is needed to read it (WCAG 2.2, 1.4.3)" : "3:1 is needed to see it (WCAG 2.2, 1.4.11)"
        let place = scheme == .light ? "in the light" : "in the dark"
        let detail =
            "The \(name) \(self.color.hex) on \(background.color.hex) \(place) has a contrast of "
            + "\(JSON(number: ratio).text):1; \(rule)."
        return Warning(pointer: pointer, detail: detail, ratio: ratio)
    }
}
