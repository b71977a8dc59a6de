extension String {
    /// The text on one line, without control characters.
    ///
    /// Toasts are untrusted: an escape sequence could clear the screen, rename a window, or hide the rest of a line,
    /// and a bidirectional control could reorder the text. Line ends become spaces.
    package var printable: String {
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

    /// JSON on one line with the same value, without control characters.
    package var printableJSON: String {
        var text = String.UnicodeScalarView()
        for scalar in self.unicodeScalars {
            switch scalar.properties.generalCategory {
            // A JSON string cannot contain these unescaped, so they are between tokens.
            case .control where scalar.value < 0x20: text.append(" ")
            case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped
            case .format where scalar.properties.isBidiControl: text += scalar.escaped
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// The text, padded with spaces on the right.
    package func padded(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - self.count))
    }
}

extension Unicode.Scalar {
    /// The JSON escape of a character of the first plane (RFC 8259 §7).
    fileprivate var escaped: String.UnicodeScalarView {
        let digits = String(self.value, radix: 16)
        return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
    }
}
