extension [UInt8] {
    /// The line and the column of an offset, counted as editors do.
    func place(of offset: Int) -> String {
        let before = self.prefix(offset)
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return "line \(line), column \(String(decoding: before[start...], as: UTF8.self).count + 1)"
    }
}
