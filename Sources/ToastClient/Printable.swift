extension String {
    /// The text on one line, without anything that a terminal would obey.
    ///
    /// Toasts are written by strangers: an escape sequence could clear the screen, name a window, or hide the rest of a
    /// line, and a character that turns the direction of writing could swap what is read. Line ends become spaces.
    public var printable: String {
        var text = String.UnicodeScalarView()
        for scalar in self.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .lineSeparator, .paragraphSeparator: text.append(" ")
            case .control: text.append(scalar.properties.isWhitespace ? " " : "\u{FFFD}")
            case .format where scalar.properties.isBidiControl: text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// A text in JSON on one line, which means the same, without anything that a terminal would obey.
    public var printableJSON: String {
        var text = String.UnicodeScalarView()
        for scalar in self.unicodeScalars {
            switch scalar.properties.generalCategory {
            // No text of JSON holds these as they are, so they stand between its words.
            case .control where scalar.value < 0x20: text.append(" ")
            case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped
            case .format where scalar.properties.isBidiControl: text += scalar.escaped
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// The text with spaces behind it, at least so many characters long.
    public func padded(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - self.count))
    }
}

extension Unicode.Scalar {
    /// A character of the first plane as JSON can write it (RFC 8259 §7).
    fileprivate var escaped: String.UnicodeScalarView {
        let digits = String(self.value, radix: 16)
        return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
    }
}
