import ToastCore

/// Which blobs the catalogs and documents are in: changed by compare-and-set, so that several change all or none.
struct Manifest: Hashable, Sendable {
    /// A document in messages of its own.
    struct Blob: Hashable, Sendable {
        let id: String
        /// How many messages it is in.
        let pieces: Int
    }

    /// The blobs by name: `catalog/LANGUAGE` or `document/NAME`.
    var blobs: [String: Blob] = [:]

    static func name(_ language: LanguageTag) -> String { "catalog/\(language.rawValue)" }

    static func name(_ document: DocumentName) -> String { "document/\(document.rawValue)" }

    /// The blobs of the catalogs.
    func catalogs() throws(StoreError) -> [LanguageTag: Blob] {
        var catalogs: [LanguageTag: Blob] = [:]
        for (name, blob) in self.blobs where name.hasPrefix("catalog/") {
            guard let language = LanguageTag(rawValue: String(name.dropFirst("catalog/".count))) else {
                throw .corrupt("A catalog has a language that is none.")
            }
            catalogs[language] = blob
        }
        return catalogs
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.count(self.blobs.count)
        for (name, blob) in self.blobs.sorted(by: { $0.key < $1.key }) {
            writer.text(name)
            writer.text(blob.id)
            writer.count(blob.pieces)
        }
        return writer.bytes
    }

    init() {}

    init(_ bytes: [UInt8]) throws(StoreError) {
        var reader = ByteReader(bytes, name: "The list of catalogs and documents")
        for _ in 0..<(try reader.count()) {
            let (name, id, pieces) = (try reader.text(), try reader.text(), try reader.count())
            guard ChannelName(rawValue: id) != nil, Int64(pieces) <= Piece.most else { throw reader.damage }
            self.blobs[name] = Blob(id: id, pieces: pieces)
        }
    }
}
