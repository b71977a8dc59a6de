/// How much connections may take that are no streams.
struct ConnectionBounds: Sendable {
    /// The most at a time; nil for as many as there is room for.
    let count: Int?

    /// The longest head of a request, in bytes, and the most fields of it.
    let (headBytes, fields): (Int, Int)

    init(_ reader: inout SettingsReader) {
        let count = reader.fixed("maxConnections", 0, in: 0...1_000_000)
        self.count = count > 0 ? count : nil
        self.headBytes = reader.fixed("maxHeadBytes", 20_480, in: 4096...65_536)
        self.fields = reader.fixed("maxHeaderFields", 100, in: 16...1000)
    }
}
