/// The keys in the XML form of a property list that holds one dictionary and texts, as often as each is there.
struct XMLKeys {
    private(set) var names: [String] = []

    /// Walks over the document once.
    ///
    /// Comments, declarations and sections of plain text hold no keys, whatever is in them.
    init(_ body: [UInt8]) {
        let text = Self.utf8(body)
        var index = 0
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = text[start...]
            if rest.starts(with: "<!--".utf8) {
                index = Self.end(of: "-->", in: rest)
            } else if rest.starts(with: "<![CDATA[".utf8) {
                index = Self.end(of: "]]>", in: rest)
            } else {
                index = Self.end(of: ">", in: rest)
                guard rest.starts(with: "<key".utf8), rest.dropFirst(4).first.map(Self.endsName) == true else {
                    continue
                }
                let name = text[index...].prefix { $0 != UInt8(ascii: "<") }
                self.names.append(String(decoding: name, as: UTF8.self))
            }
        }
    }

    private static func endsName(_ byte: UInt8) -> Bool { " \t\r\n>/".utf8.contains(byte) }

    /// The index after a mark; the end of the text when the mark is not there.
    private static func end(of mark: String, in text: ArraySlice<UInt8>) -> Int {
        text.indices.first { text[$0...].starts(with: mark.utf8) }.map { $0 + mark.utf8.count } ?? text.endIndex
    }

    /// The document in UTF-8, also when it came in UTF-16.
    private static func utf8(_ body: [UInt8]) -> [UInt8] {
        guard body.prefix(4).contains(0) || body.starts(with: [0xFE, 0xFF]) || body.starts(with: [0xFF, 0xFE]) else {
            return body
        }
        let isBigEndian = body.first == 0 || body.first == 0xFE
        let units = stride(from: 0, to: body.count - 1, by: 2).map { place in
            let (first, second) = (UInt16(body[place]), UInt16(body[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
