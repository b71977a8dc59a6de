import ToastCore

extension Role {
    /// The role of a colour: Slack's names, or the hue of a hexadecimal colour.
    init?(color text: String?) {
        guard let text = text?.lowercased(), !text.isEmpty else { return nil }
        switch text {
        case "good": self = .success
        case "warning": self = .warning
        case "danger": self = .error
        default:
            let short = text.hasPrefix("#") ? text.dropFirst() : text[...]
            // In CSS `#f00` is `#ff0000`.
            let digits = short.count == 3 ? String(short.flatMap { [$0, $0] }) : String(short)
            // A number may have a sign, a colour has none.
            guard digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: 16) else { return nil }
            self.init(color: value)
        }
    }

    /// The role of an RGB colour by its hue: red is an error, orange and yellow a warning, green a success.
    init(color value: Int) {
        let (red, green, blue) = (Double(value >> 16 & 255), Double(value >> 8 & 255), Double(value & 255))
        let (high, low) = (max(red, green, blue), min(red, green, blue))
        guard high - low >= 32 else {
            self = .info
            return
        }
        let sixth =
            high == red
            ? (green - blue) / (high - low)
            : high == green ? 2 + (blue - red) / (high - low) : 4 + (red - green) / (high - low)
        switch (sixth * 60 + 360).truncatingRemainder(dividingBy: 360) {
        case ..<20, 330...: self = .error
        case ..<70: self = .warning
        case ..<170: self = .success
        default: self = .info
        }
    }

    /// The role of a word that monitoring systems use for a severity or an outcome.
    init?(word: String) {
        switch word.lowercased() {
        case "info", "information", "notice", "debug": self = .info
        case "success", "ok", "up", "resolved", "passed", "good": self = .success
        case "warning", "warn": self = .warning
        case "error", "failure", "failed", "critical", "fatal", "down", "alerting", "firing", "page": self = .error
        default: return nil
        }
    }
}
