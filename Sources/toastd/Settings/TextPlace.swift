import Foundation

/// A place in a text, counted as editors do.
struct TextPlace: CustomStringConvertible {
    let line: Int
    let column: Int

    init(of offset: Int, in data: Data) {
        let before = data.prefix(offset)
        self.line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
        self.column = String(decoding: before[start...], as: UTF8.self).count + 1
    }

    var description: String { "line \(self.line), column \(self.column)" }
}
