import Testing
import ToastCore
import ToastHub

@testable import ToastCluster

@Suite struct PieceStoreTests {
    private static let start = Generator.start
    private let limit = MessageLimit(bytes: 4096)
    private let node: NodeID
    private var store: PieceStore

    init() throws {
        self.node = try #require(NodeID(rawValue: String(repeating: "a", count: 26)))
        self.store = PieceStore(node: self.node, limit: self.limit, seal: try .make())
    }

    private func reply(bytes: Int) -> ChannelReply {
        // Doubled, because a closure for each of 64 million bytes takes half a minute in a debug build.
        var snapshot = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        while snapshot.count < bytes { snapshot += snapshot }
        snapshot.removeLast(snapshot.count - bytes)
        return .answer(.opening(Opening(snapshot: snapshot, start: .origin, stored: .origin, instant: Self.start)))
    }

    private func piece(_ bytes: [UInt8]) throws -> MessagePiece {
        #expect(bytes.count <= self.limit.bytes)
        guard case .piece(let piece) = try ClusterMessage.decode(bytes) else {
            throw MessageError.malformed("no piece")
        }
        return piece
    }

    private func isFailure(_ bytes: [UInt8]) throws -> Bool {
        guard case .reply(.failure(.store)) = try ClusterMessage.decode(bytes) else { return false }
        return true
    }

    @Test mutating func aShortReplyIsOneMessage() throws {
        let reply = self.reply(bytes: 100)
        let bytes = try self.store.reply(reply, at: Self.start)
        #expect(bytes == reply.encoded())
        #expect(self.store.count == 0)
    }

    @Test(arguments: [4097, 3840 * 3, 3840 * 3 + 1, 100_000])
    mutating func aLongReplyIsFetchedInPieces(bytes: Int) throws {
        let reply = self.reply(bytes: bytes)
        var piece = try self.piece(try self.store.reply(reply, at: Self.start))
        var collector = try PieceCollector(first: piece, seal: .make())
        while true {
            switch try collector.add(piece) {
            case .fetch(let request, let node):
                #expect(node == self.node)
                let bytes = PieceRequest(number: request.number, index: request.index).encoded()
                guard case .pieceRequest(let again) = try ClusterMessage.decode(bytes) else {
                    Issue.record("This is another message.")
                    return
                }
                piece = try self.piece(self.store.answer(again, at: Self.start))
            case .complete(let again):
                return #expect(exact(again) == exact(reply))
            }
        }
    }

    @Test mutating func aPieceCanBeFetchedAgainUntilItsReplyIsForgotten() throws {
        let first = try self.piece(try self.store.reply(self.reply(bytes: 10_000), at: Self.start))
        let request = PieceRequest(number: first.number, index: 1)
        let answer = self.store.answer(request, at: Self.start + Interval(seconds: 9))
        self.store.expire(at: Self.start + Interval(seconds: 18))
        let again = self.store.answer(request, at: Self.start + Interval(seconds: 18))
        #expect(again == answer)
        let beyond = self.store.answer(PieceRequest(number: first.number, index: 9), at: Self.start)
        #expect(try self.isFailure(beyond))
        self.store.expire(at: Self.start + Interval(seconds: 40))
        #expect(self.store.count == 0)
        let late = self.store.answer(request, at: Self.start + Interval(seconds: 40))
        #expect(try self.isFailure(late))
    }

    @Test mutating func theOldestReplyMakesRoom() throws {
        let half = self.reply(bytes: MessageLimit.longestReply / 2 - 1000)
        let numbers = try (0..<3).map { _ in try self.piece(try self.store.reply(half, at: Self.start)).number }
        #expect(self.store.count <= MessageLimit.longestReply)
        let answers = numbers.map { self.store.answer(PieceRequest(number: $0, index: 1), at: Self.start) }
        #expect(try answers.map(self.isFailure) == [true, false, false])
    }

    @Test func aReplyThatIsTooLongIsRefused() throws {
        let reply = self.reply(bytes: MessageLimit.longestReply)
        var store = self.store
        #expect(throws: MessageError.tooLong(reply.encoded().count)) { try store.reply(reply, at: Self.start) }
        let piece = MessagePiece(node: self.node, number: 1, index: 0, length: .max, bytes: [1])
        #expect(throws: MessageError.tooLong(.max)) { try PieceCollector(first: piece, seal: .make()) }
    }

    @Test mutating func piecesThatDoNotFitAreRefused() throws {
        let first = try self.piece(try self.store.reply(self.reply(bytes: 10_000), at: Self.start))
        let second = try self.piece(self.store.answer(PieceRequest(number: first.number, index: 1), at: Self.start))
        var collector = try PieceCollector(first: first, seal: .make())
        #expect(throws: MessageError.malformed("Another piece is expected.")) { try collector.add(second) }
        _ = try collector.add(first)
        #expect(throws: MessageError.malformed("Another piece is expected.")) { try collector.add(first) }
        let other = MessagePiece(
            node: self.node,
            number: first.number,
            index: 1,
            length: first.length,
            bytes: [UInt8](repeating: 0, count: first.length)
        )
        #expect(throws: MessageError.malformed("Another piece is expected.")) { try collector.add(other) }
        _ = try collector.add(second)
    }
}
