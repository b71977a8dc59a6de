import Testing

@testable import MicroHTTP

@Suite struct OutboxTests {
    /// Whether frames of so many bytes each are taken.
    private func append(_ sizes: [Int], to outbox: inout Outbox) -> [Bool] {
        sizes.map { outbox.append(Frame([UInt8](repeating: 0, count: $0))) }
    }

    @Test func soManyFramesWait() {
        var outbox = Outbox(limit: StreamWriter.Backlog(frames: 2, bytes: 100))
        let first = self.append([1, 1, 1], to: &outbox)
        #expect(first == [true, true, false])
        outbox.advance(by: 1)
        let then = self.append([1, 1], to: &outbox)
        #expect(then == [true, false])
    }

    @Test func soManyBytesWaitAndOneFrameAlways() {
        var outbox = Outbox(limit: StreamWriter.Backlog(frames: 9, bytes: 10))
        let first = self.append([50, 1], to: &outbox)
        #expect(first == [true, false])
        outbox.advance(by: 45)
        let then = self.append([5, 1], to: &outbox)
        #expect(then == [true, false])
    }

    @Test func theUsualBoundIs256FramesAndOneMebibyte() {
        let backlog = StreamWriter.Backlog()
        #expect(backlog.frames == 256)
        #expect(backlog.bytes == 1_048_576)
    }
}
