package import ToastCore

/// When a delayed ntfy message is due: a Unix time, or a length such as `30m`, `2h` or `1 day`, from 10 s to 3 days.
///
/// ntfy's natural language ("tomorrow, 10am") is not read, because it depends on the sender's time zone.
package enum NtfyDelay {
    /// When a message with a delay is due; `nil` when the text is no delay.
    static func due(_ text: String, at now: Instant) -> Instant? {
        guard let time = Self.time(text, from: now, 1), (10.0...259_200.0).contains((time - now).seconds) else {
            return nil
        }
        return time
    }

    /// The instant that a reader's `since` names: a Unix time, or a length of time before now; `nil` if it is neither.
    package static func past(_ text: String, at now: Instant) -> Instant? { self.time(text, from: now, -1) }

    private static func time(_ text: String, from now: Instant, _ sign: Int64) -> Instant? {
        let text = text.trimmed.lowercased()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits) else { return nil }
        let unit = String(text.dropFirst(digits.count)).trimmed
        guard !unit.isEmpty else { return Instant(wallClock: Double(number)) }
        let seconds: Int64
        switch unit {
        case "s", "sec", "secs", "second", "seconds": seconds = 1
        case "m", "min", "mins", "minute", "minutes": seconds = 60
        case "h", "hour", "hours": seconds = 3600
        case "d", "day", "days": seconds = 86_400
        default: return nil
        }
        // A year is longer than anything that is kept.
        guard number <= 31_622_400 / seconds else { return nil }
        return now + Interval(nanoseconds: sign * number * seconds * 1_000_000_000)
    }
}
