import Testing

@testable import MicroHTTP

@Suite struct SendQueueTests {
    /// Whether frames of these sizes are accepted.
    private func append(_ sizes: [Int], to queue: inout SendQueue) -> [Bool] {
        sizes.map { queue.append(Frame([UInt8](repeating: 0, count: $0))) }
    }

    @Test func framesAreBounded() {
        var queue = SendQueue(limit: StreamWriter.Backlog(frames: 2, bytes: 100))
        let first = self.append([1, 1, 1], to: &queue)
        #expect(first == [true, true, false])
        queue.advance(by: 1)
        let then = self.append([1, 1], to: &queue)
        #expect(then == [true, false])
    }

    @Test func bytesAreBoundedExceptForASingleFrame() {
        var queue = SendQueue(limit: StreamWriter.Backlog(frames: 9, bytes: 10))
        let first = self.append([50, 1], to: &queue)
        #expect(first == [true, false])
        queue.advance(by: 45)
        let then = self.append([5, 1], to: &queue)
        #expect(then == [true, false])
    }

    @Test func theDefaultBoundIs256FramesAndOneMebibyte() {
        let backlog = StreamWriter.Backlog()
        #expect(backlog.frames == 256)
        #expect(backlog.bytes == 1_048_576)
    }
}
