import ToastCore

@testable import NATS
@testable import ToastStore

extension FuzzTarget {
    static let nats = [Self("log", checkLog)]
}

/// What nodes write into the log is the same when it is read again: a header on the first line, then a body.
private func checkLog(_ bytes: [UInt8]) throws {
    let head = (bytes.lines.first ?? []).text
    let body = Array(bytes.dropFirst(head.utf8.count + 1))
    if let header = LogHeader(head) {
        try promise(LogHeader(header.text) == header, "another header of an event")
        if let events = try corruptOr({ () throws(StoreError) in try LogBody.decode(body, header) }) {
            let again = try LogBody.decode(LogBody.encode(events[...]), header)
            try promise(again == events, "other events")
        }
    }
    if let header = RecordHeader(head) {
        try promise(RecordHeader(header.text) == header, "another header of a record")
        if let record = try corruptOr({ () throws(StoreError) in try RecordBody.decode(body, header) }) {
            let again = try RecordBody.decode(RecordBody.encode(record), header)
            try promise(RecordBody.encode(again) == RecordBody.encode(record), "another record")
        }
    }
    if let header = DeliveryHeader(head) {
        try promise(DeliveryHeader(header.text) == header, "another header of a delivery")
        _ = try corruptOr { () throws(StoreError) in try DeliveryBody.decode(body, header) }
    }
    if let piece = Piece(head, bytes: body) {
        try promise(Piece(piece.text, bytes: body) == piece, "another piece")
    }
    if let manifest = try corruptOr({ () throws(StoreError) in try Manifest(body) }) {
        try promise(try Manifest(manifest.encoded) == manifest, "another manifest")
    }
}

/// What is read; `nil` when the bytes are corrupt, which is the only error that they may cause.
private func corruptOr<Value>(_ read: () throws(StoreError) -> Value) throws -> Value? {
    do throws(StoreError) {
        return try read()
    } catch {
        guard case .corrupt = error else { throw BrokenPromise(description: "another error: \(error)") }
        return nil
    }
}
