/// What comes back of a call: what curl's callbacks see.
///
/// Lives on the caller's thread, from before its handle is made until that is gone.
final class Exchange {
    /// The header fields so far.
    private(set) var headers: [(name: String, value: String)] = []
    /// Whether the head is complete.
    private(set) var hasHead = false
    private var bytes: [UInt8] = []

    /// Takes a line of the head: the status line, a field, or the empty line behind them.
    func receiveLine(_ line: [UInt8]) {
        let text = String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
        if text.hasPrefix("HTTP/") {
            // Whatever came before was an interim answer.
            self.headers = []
            self.hasHead = false
        } else if text.isEmpty {
            self.hasHead = true
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            self.headers.append((text[..<colon].lowercased(), String(value)))
        }
    }

    /// Takes a part of the body.
    func receive(_ part: [UInt8]) {
        self.bytes += part
    }

    /// What came since the last time.
    func take() -> [UInt8] {
        defer { self.bytes = [] }
        return self.bytes
    }
}
