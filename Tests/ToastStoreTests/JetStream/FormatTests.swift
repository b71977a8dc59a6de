import Sealing
import Testing
import ToastCore

@testable import ToastStore

/// The format of a cluster's messages.
@Suite struct JetStreamFormatTests {
    private let ops = ChannelName.make()

    private func subjects() throws -> Subjects { try #require(Subjects(prefix: "toastd")) }

    @Test func `partitions are FNV-1a of the name`() {
        // The 64 bits of "a" are AF63DC4C8601EC8C, those of "foobar" 85944171F73967E8.
        #expect(Partition(of: .make("a")).index == 0x8C)
        #expect(Partition(of: .make("foobar")).index == 0xE8)
        #expect(Subjects.log(of: .make("foobar")) == 0)
    }

    @Test func `subjects name the log, the kind, the partition and the channel`() throws {
        let subjects = try self.subjects()
        #expect(subjects.subject(.log, of: .make("foobar")) == "toastd.0.c.232.foobar")
        #expect(subjects.subject(.delivery, of: .make("foobar"), "h", "9", "0") == "toastd.0.o.232.foobar.h.9.0")
        #expect(subjects.all(.log, ofLog: 0) == "toastd.0.c.*.*")
        #expect(subjects.all(.delivery, ofLog: 3, partition: 7) == "toastd.3.o.7.>")
        #expect(Subjects(prefix: "a.b") == nil)
        let read = try #require(ChannelSubject("toastd.0.o.232.foobar.h.9.0"))
        #expect(read.kind == .delivery && read.channel == .make("foobar"))
        let webhook = WebhookKey(channel: .make("foobar"), id: "h")
        #expect(DeliveryPlace(read) == DeliveryPlace(webhook: webhook, offset: Offset(rawValue: 9), index: 0))
        for wrong in ["", "toastd.0.c", "toastd.0.x.1.ops", "toastd.0.c.1.a b"] {
            #expect(ChannelSubject(wrong) == nil)
        }
    }

    @Test func `a record's token is of its owner and its key`() {
        let token = Subjects.token(of: .make("key", of: "alice"))
        #expect(token.count == 32 && token.allSatisfy(\.isHexDigit))
        let others: [IdempotencyKey] = [.make("key", of: "bob"), .make("Key", of: "alice"), .make("ekey", of: "alic")]
        for other in others { #expect(Subjects.token(of: other) != token) }
    }

    @Test func `a log header comes back, and is none when a number is missing`() throws {
        var header = LogHeader(
            first: Offset(rawValue: 3),
            last: Offset(rawValue: 5),
            at: .at(-2.5),
            commit: "a-1",
            base: Offset(rawValue: 2)
        )
        #expect(LogHeader(header.text) == header)
        (header.baseSequence, header.hasSnapshot, header.life) = (7, true, 6)
        header.due = .at(9)
        #expect(LogHeader(header.text) == header)
        #expect(LogHeader(header.text + ";later=1") == header)
        let tombstone = LogHeader.tombstone(at: Offset(rawValue: 9), commit: "b-2")
        #expect(LogHeader(tombstone.text)?.isTombstone == true)
        for wrong in [
            "", "first=1", header.text.replacing("last=5", with: "last=-5"), "first=9;last=1;at=0;commit=a;base=0",
        ] {
            #expect(LogHeader(wrong) == nil)
        }
    }

    @Test func `events come back, and damaged ones are corrupt`() throws {
        let envelopes: [[UInt8]] = [[], [0], Array(0...255), Array(repeating: 34, count: 70_000)]
        let events = envelopes.enumerated().map { index, envelope in
            StoredEvent(offset: Offset(rawValue: Int64(index) + 8), at: .at(index < 2 ? 1 : -1), envelope: envelope)
        }
        let header = LogHeader(
            first: events[0].offset,
            last: events[3].offset,
            at: .at(-1),
            commit: "a-1",
            base: .origin
        )
        let body = LogBody.encode(events[...])
        #expect(try LogBody.decode(body, header) == events)
        #expect(
            try LogBody.decode([], LogHeader(first: .origin.next, last: .origin, at: .at(0), commit: "", base: .origin))
                == []
        )
        for length in [0, 1, 11, 12, 20, body.count - 1] {
            #expect(throws: StoreError.self) { try LogBody.decode(Array(body.prefix(length)), header) }
        }
    }

    @Test func `events are split into messages that servers accept`() {
        let events = (1...5).map {
            StoredEvent(offset: Offset(rawValue: $0), at: .at(1), envelope: Array(repeating: 1, count: 200 * 1024))
        }
        #expect(LogBody.parts(events).map(\.count) == [2, 2, 1])
        #expect(LogBody.parts([]).map(\.count) == [0])
        let long = StoredEvent(
            offset: .origin.next,
            at: .at(1),
            envelope: Array(repeating: 1, count: LogBody.largest + 1)
        )
        #expect(LogBody.parts([long, long]).map(\.count) == [1, 1])
    }

    @Test func `a document is cut and joined`() throws {
        for size in [0, 1, Piece.largest, Piece.largest + 1, 3 * Piece.largest] {
            let document = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            let pieces = Piece.cut(document, of: 9)
            #expect(Piece.join(pieces.map { Piece($0.text, bytes: $0.bytes) ?? pieces[0] }) == document)
            #expect(Piece.join(Array(pieces.dropLast())) == nil)
        }
        let mixed = [Piece(whole: 1, index: 0, count: 2, bytes: []), Piece(whole: 2, index: 1, count: 2, bytes: [])]
        #expect(Piece.join(mixed) == nil)
        #expect(Piece("of=1;index=2;count=2", bytes: []) == nil)
    }

    @Test func `records and deliveries come back`() throws {
        let record = IdempotencyRecord.make("Schlüssel;=", of: "a;b=ü\u{0}", at: -3, about: .make(1), outcome: "x")
        let header = try #require(RecordHeader(RecordHeader(record).text))
        #expect(header == RecordHeader(record))
        #expect(try RecordBody.decode(RecordBody.encode(record), header) == record)
        let delivery = NewDelivery(webhook: .make("a"), message: "m", at: .at(1), due: .at(2), payload: [0, 255])
        var state = DeliveryHeader(at: delivery.at, due: delivery.due)
        #expect(DeliveryHeader(state.text) == state)
        state.tries = 3
        #expect(DeliveryHeader(state.text) == state)
        // As earlier versions wrote it.
        #expect(DeliveryHeader(state.text + ";claimer=61;until=9") == state)
        #expect(try DeliveryBody.decode(DeliveryBody.encode(delivery), state) == delivery)
    }

    @Test func `secrets are sealed with the key, for their channel`() throws {
        let key = try ClusterKey(fileContent: Array(1..<33)).sealer(for: .webhooks)
        let other = try ClusterKey(fileContent: Array(2..<34)).sealer(for: .webhooks)
        let webhooks: [Webhook] = [.make("b", events: [.acted], secret: 1, owner: "é"), .make("c", isEnabled: false)]
        let bytes = SealedWebhooks.encode(webhooks, of: self.ops, key)
        #expect(try SealedWebhooks.decode(bytes, of: self.ops, key) == webhooks)
        #expect(
            !String(decoding: bytes, as: UTF8.self).contains(String(decoding: webhooks[0].secret.bytes, as: UTF8.self))
        )
        #expect(throws: StoreError.self) { try SealedWebhooks.decode(bytes, of: self.ops, other) }
        #expect(throws: StoreError.self) { try SealedWebhooks.decode(bytes, of: .make("other"), key) }
    }
}
