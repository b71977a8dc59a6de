extension Instant: JSONWritable {
    /// Writes the instant as RFC 3339 text in UTC with milliseconds, such as `2026-11-21T03:28:22.123Z`.
    public func write(to writer: inout JSONWriter) { writer.instant(self) }
}

extension Interval: JSONWritable {
    /// Writes the length in seconds with at most three decimals, such as `0.35`.
    public func write(to writer: inout JSONWriter) {
        let milliseconds = self.milliseconds.magnitude
        writer.token(self.milliseconds < 0 ? "-" : "")
        writer.buffer.digits(milliseconds / 1000)
        var fraction = milliseconds % 1000
        guard fraction > 0 else { return }
        var width = 3
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        writer.buffer.append(UInt8(ascii: "."))
        writer.buffer.digits(fraction, width: width)
    }
}

extension ToastID: JSONWritable {
    /// Writes the usual form.
    public func write(to writer: inout JSONWriter) {
        writer.quoted { writer in self.spell(to: &writer.buffer) }
    }
}

extension ChannelName: JSONWritable {
    /// Writes the name, in which nothing needs escapes.
    public func write(to writer: inout JSONWriter) { writer.plain(self.rawValue) }
}
