/// How long a toast stays on screen.
public enum ToastDuration: Hashable, Sendable {
    /// A time, counted from its presentation; more than zero.
    case finite(Interval)

    /// Until it is dismissed.
    case indefinite

    /// Two seconds (NoticeUI).
    public static let short = Self.finite(Interval(seconds: 2))

    /// Four seconds (NoticeUI).
    public static let long = Self.finite(Interval(seconds: 4))

    /// The length, if there is one.
    public var interval: Interval? { if case .finite(let interval) = self { interval } else { nil } }
}

extension ToastDuration: JSONWritable {
    /// Writes the number of seconds, or `"indefinite"`.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .finite(let interval): interval.write(to: &writer)
        case .indefinite: writer.plain("indefinite")
        }
    }
}

extension Issues {
    /// Seconds, a named duration, or indefinite, which is also the meaning of zero (Toaster, Y-Snackbar).
    mutating func duration(_ value: JSON) -> ToastDuration? {
        switch value {
        case .string("short"): return .short
        case .string("long"): return .long
        case .string("indefinite"): return .indefinite
        case .integer, .double: return self.seconds(value).map { $0 > .zero ? .finite($0) : .indefinite }
        default: return self.refuse(#"A number of seconds, "short", "long" or "indefinite" is expected."#)
        }
    }
}
