/// The keys of an XML property list that is one dictionary of texts; a repeated key is listed each time.
struct XMLKeys {
    private(set) var names: [String] = []

    /// Walks over the document once.
    ///
    /// Comments, declarations and CDATA sections have no keys, whatever is in them.
    init(_ text: [UInt8]) {
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
}
