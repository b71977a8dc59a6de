extension Interval {
    /// A millisecond in nanoseconds.
    static let millisecond: Int64 = 1_000_000

    /// A length in whole milliseconds, which is as fine as the wire tells time.
    init(milliseconds: Int64) {
        let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: Self.millisecond)
        self.init(nanoseconds: overflow ? (milliseconds > 0 ? .max : .min) : nanoseconds)
    }

    /// The length in whole milliseconds, rounded towards zero.
    var milliseconds: Int64 { self.nanoseconds / Self.millisecond }
}

extension Interval: JSONWritable {
    /// Writes the length in seconds with at most three decimals, such as `0.35`.
    public func write(to writer: inout JSONWriter) {
        let milliseconds = self.milliseconds.magnitude
        writer.token(self.milliseconds < 0 ? "-" : "")
        writer.digits(milliseconds / 1000)
        var fraction = milliseconds % 1000
        guard fraction > 0 else { return }
        var width = 3
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        writer.append(UInt8(ascii: "."))
        writer.digits(fraction, width: width)
    }
}
