import EventLoop
import NATS
import Sealing
package import ToastCore

extension JetStreamStore {
    package func catalogs() async throws(StoreError) -> [LanguageTag: [UInt8]] {
        try await self.reading { (manifest) async throws(StoreError) -> [LanguageTag: [UInt8]]? in
            var catalogs: [LanguageTag: [UInt8]] = [:]
            for (language, blob) in try manifest.catalogs() {
                guard let document = try await self.blob(blob) else { return nil }
                catalogs[language] = document
            }
            return catalogs
        }
    }

    /// The sequence of the manifest, which also changes with each document.
    package func catalogsVersion() async throws(StoreError) -> UInt64? { try await self.documentsVersion() }

    package func changeCatalogs(
        _ changes: [LanguageTag: [UInt8]?],
        ifVersion version: UInt64?
    ) async throws(StoreError) -> Bool {
        try await self.replace(changes.map { (Manifest.name($0.key), $0.value) }) { _, sequence in
            version == nil || sequence == version
        }
    }

    package func document(_ name: DocumentName) async throws(StoreError) -> [UInt8]? {
        try await self.reading { (manifest) async throws(StoreError) -> [UInt8]?? in
            try await self.document(name, in: manifest)
        }
    }

    package func replaceDocument(
        _ name: DocumentName,
        expecting old: [UInt8]?,
        with new: [UInt8]
    ) async throws(StoreError) -> Bool {
        // Sealed, so that the cluster's servers and their disks hold no readable secrets.
        let stored = name == .hooks ? self.options.secrets.seal(new, for: Self.hooksContext) : new
        return try await self.replace([(Manifest.name(name), stored)]) { (manifest, _) async throws(StoreError) in
            try await self.document(name, in: manifest) == .some(old)
        }
    }

    /// The document that a manifest names, `.some(nil)` when it names none; `nil` when it was replaced meanwhile.
    private func document(_ name: DocumentName, in manifest: Manifest) async throws(StoreError) -> [UInt8]?? {
        guard let blob = manifest.blobs[Manifest.name(name)] else { return .some(nil) }
        guard let stored = try await self.blob(blob) else { return nil }
        return .some(name == .hooks ? try self.options.secrets.openSecret(stored, for: Self.hooksContext) : stored)
    }

    private static let hooksContext = "hooks"

    /// Reads by the manifest, and again when `body` returns nil, because a blob was replaced meanwhile.
    private func reading<Value: Sendable>(
        _ body: (Manifest) async throws(StoreError) -> Value?
    ) async throws(StoreError) -> Value {
        for _ in 0..<20 {
            let (manifest, _) = try await self.manifest()
            if let value = try await body(manifest) { return value }
        }
        throw .corrupt("A catalog or document lacks some of its messages.")
    }

    /// A number that changes with each change of a catalog or document by any process.
    package func documentsVersion() async throws(StoreError) -> UInt64 { try await self.manifest().sequence }

    private func manifest() async throws(StoreError) -> (manifest: Manifest, sequence: UInt64) {
        guard let message = try await self.read.last(self.subjects.manifest, in: self.subjects.metaStream) else {
            return (Manifest(), 0)
        }
        return (try Manifest(message.body), message.sequence)
    }

    /// Reads a blob; `nil` when it is not there any more.
    private func blob(_ blob: Manifest.Blob) async throws(StoreError) -> [UInt8]? {
        var pieces: [Piece] = []
        for index in 0..<blob.pieces {
            let subject = self.subjects.blob(blob.id, piece: index)
            let message = try await self.read.last(subject, in: self.subjects.metaStream)
            guard let message, let piece = message.headers[Piece.name].flatMap({ Piece($0, bytes: message.body) })
            else { return nil }
            pieces.append(piece)
        }
        return Piece.join(pieces)
    }

    /// Replaces and forgets documents, all or none, in the order of the calls.
    ///
    /// - Parameters:
    ///   - changes: The documents by their names in the manifest.
    ///   - isExpected: Whether the changes may be made to this manifest, which has this sequence.
    /// - Returns: Whether the changes were made.
    /// - Throws: `unavailable` when nothing could be written; what `isExpected` throws.
    private func replace(
        _ changes: [(name: String, document: [UInt8]?)],
        if isExpected: @Sendable (Manifest, UInt64) async throws(StoreError) -> Bool
    ) async throws(StoreError) -> Bool {
        await self.manifestLock.lock()
        defer { self.manifestLock.unlock() }
        var blobs: [(name: String, blob: Manifest.Blob?)] = []
        while true {
            let (old, sequence) = try await self.manifest()
            // The answer to the last try was lost.
            if !blobs.isEmpty, blobs.allSatisfy({ old.blobs[$0.name] == $0.blob }) { return true }
            guard try await isExpected(old, sequence) else { return false }
            // Stored again for each try: a process that replaces the manifest removes all older blobs that it does not
            // name.
            blobs = []
            for (name, document) in changes {
                var blob: Manifest.Blob?
                if let document { blob = try await self.store(document) }
                blobs.append((name, blob))
            }
            var new = old
            for (name, blob) in blobs { new.blobs[name] = blob }
            guard new != old else { return true }
            let message = StreamMessage(
                subject: self.subjects.manifest,
                body: new.encoded,
                expectedLastSequence: sequence,
                replacesSubject: true
            )
            // Another process has replaced the manifest, or this change was stored and the answer was lost.
            guard let written = try await self.read.publish(message) else { continue }
            await self.removeBlobs(before: written, except: Set(new.blobs.values.map(\.id)))
            return true
        }
    }

    /// Stores a document under a new name.
    private func store(_ document: [UInt8]) async throws(StoreError) -> Manifest.Blob {
        let id = String(UInt64.random(in: .min ... .max), radix: 36)
        let pieces = Piece.cut(document, of: Int64(document.count))
        guard pieces.count <= Piece.most else { throw .unavailable("A document is too long for the cluster.") }
        for piece in pieces {
            let message = piece.message(on: self.subjects.blob(id, piece: piece.index))
            _ = try await self.read { (client) async throws(NATSError) in try await client.publish(message) }
        }
        return Manifest.Blob(id: id, pieces: pieces.count)
    }

    /// Removes the blobs that no manifest names any more, also those of changes that have failed.
    ///
    /// What this leaves after a failure of its own takes room until the next change.
    private func removeBlobs(before sequence: UInt64, except kept: Set<String>) async {
        let (stream, filter) = (self.subjects.metaStream, self.subjects.allBlobs)
        let pieces = try? await self.read { (client) async throws(NATSError) in
            try await client.subjects(in: stream, matching: filter)
        }
        for id in Set((pieces ?? [:]).keys.compactMap(self.subjects.blob(ofSubject:))).subtracting(kept) {
            _ = try? await self.read.purge(self.subjects.pieces(ofBlob: id), in: stream, before: sequence)
        }
    }
}
