/// How much connections may take that are no streams.
struct ConnectionBounds: Sendable {
    /// The most at a time; nil for as many as there is room for.
    let count: Int?

    /// The most from one source; 0 for as many as come.
    let perSource: Int

    /// Whether nobody said how many one source may have: then this machine may have as many as come, and no source more
    /// than half of a loop's.
    let isPerSourceUsual: Bool

    /// The longest head of a request, in bytes, and the most fields of it.
    let (headBytes, fields): (Int, Int)

    init(_ reader: inout SettingsReader) {
        let count = reader.fixed("maxConnections", 0, in: 0...1_000_000)
        self.count = count > 0 ? count : nil
        self.isPerSourceUsual = !reader.has("maxConnectionsPerSource")
        self.perSource = reader.fixed("maxConnectionsPerSource", 1000, in: 0...1_000_000)
        self.headBytes = reader.fixed("maxHeadBytes", 20_480, in: 4096...65_536)
        self.fields = reader.fixed("maxHeaderFields", 100, in: 16...1000)
    }
}
