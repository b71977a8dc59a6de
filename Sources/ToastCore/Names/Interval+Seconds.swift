extension Interval {
    /// A millisecond in nanoseconds.
    static let millisecond: Int64 = 1_000_000

    /// A length in whole milliseconds, the precision of the wire format.
    init(milliseconds: Int64) {
        let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: Self.millisecond)
        self.init(nanoseconds: overflow ? (milliseconds > 0 ? .max : .min) : nanoseconds)
    }

    /// The length in whole milliseconds, rounded towards zero.
    var milliseconds: Int64 { self.nanoseconds / Self.millisecond }
}
