import NATS
import Testing
import ToastCore

@testable import ToastCluster
@testable import ToastStore

@Suite struct JetStreamPulseLogTests {
    private let first = NodeID.random()
    private let second = NodeID.random()

    private func withTwo(
        _ test: (JetStreamPulseLog, JetStreamPulseLog, JetStreamStore) async throws -> Void
    ) async throws {
        try await ClusterServer.run { stores, loop in
            let logs = stores.map { JetStreamPulseLog($0) }
            try await test(logs[0], logs[1], stores[0])
        }
    }

    private func check(_ node: NodeID, _ question: SilenceCheck.Question) -> SilenceCheck {
        SilenceCheck(node: node, question: question, beat: 0)
    }

    /// The mark of a node's pulse.
    private func mark(_ node: NodeID, in log: JetStreamPulseLog) async throws -> PulseMark {
        guard case .open(let mark) = try await log.answer(self.check(node, .read)) else { throw Closed() }
        return mark
    }

    private struct Closed: Error {}

    @Test func `of two nodes that open their pulses the later one knows the other`() async throws {
        try await self.withTwo { one, other, _ in
            let known = try await one.open(self.first)
            #expect(known.isEmpty)
            let knownLater = try await other.open(self.second)
            #expect(knownLater == [self.first])
        }
    }

    @Test func `each pulse moves the mark of its stream`() async throws {
        try await self.withTwo { one, other, _ in
            _ = try await one.open(self.first)
            let before = try await self.mark(self.first, in: other)
            #expect(try await one.pulse(self.first, stream: 2))
            let after = try await self.mark(self.first, in: other)
            #expect(zip(before, after).map { $0 < $1 } == [false, false, true, false])
        }
    }

    @Test func `a pulse that goes on is not closed`() async throws {
        try await self.withTwo { one, other, _ in
            _ = try await one.open(self.first)
            let old = try await self.mark(self.first, in: other)
            #expect(try await one.pulse(self.first, stream: 0))
            let answer = try await other.answer(self.check(self.first, .close(old)))
            #expect(answer == .open(try await self.mark(self.first, in: other)))
            for stream in 0..<4 { #expect(try await one.pulse(self.first, stream: stream)) }
        }
    }

    @Test func `a node whose pulse was closed learns it from its next one`() async throws {
        try await self.withTwo { one, other, _ in
            _ = try await one.open(self.first)
            let mark = try await self.mark(self.first, in: other)
            #expect(try await other.answer(self.check(self.first, .close(mark))) == .closed)
            for stream in 0..<4 { #expect(try await !one.pulse(self.first, stream: stream)) }
            let known = try await other.open(self.second)
            #expect(known.isEmpty)
        }
    }

    @Test(arguments: [0, 3])
    func `a pulse that is closed in one stream is closed in the others`(stream: Int) async throws {
        try await self.withTwo { one, other, store in
            _ = try await one.open(self.first)
            let mark = try await self.mark(self.first, in: other)
            // As if an earlier attempt had ended here.
            let subject = store.subjects.pulse(of: self.first.rawValue, inLog: stream)
            let closed = StreamMessage(subject: subject, body: Array("closed".utf8), replacesSubject: true)
            _ = try await store.write.publish(closed)
            #expect(try await other.answer(self.check(self.first, .close(mark))) == .closed)
            for stream in 0..<4 { #expect(try await !one.pulse(self.first, stream: stream)) }
        }
    }

    @Test func `a node that opened its pulse again is not closed by an earlier mark`() async throws {
        try await self.withTwo { one, other, _ in
            _ = try await one.open(self.first)
            let mark = try await self.mark(self.first, in: other)
            _ = try await other.answer(self.check(self.first, .close(mark)))
            _ = try await one.open(self.first)
            let answer = try await other.answer(self.check(self.first, .close(mark)))
            #expect(answer == .open(try await self.mark(self.first, in: other)))
        }
    }

    @Test func `a closed pulse can be opened again`() async throws {
        try await self.withTwo { one, other, _ in
            _ = try await one.open(self.first)
            let mark = try await self.mark(self.first, in: other)
            _ = try await other.answer(self.check(self.first, .close(mark)))
            _ = try await one.open(self.first)
            #expect(try await one.pulse(self.first, stream: 1))
            let known = try await other.open(self.second)
            #expect(known == [self.first])
        }
    }

    @Test func `a pulse goes on after the acknowledgement of one was lost`() async throws {
        try await self.withTwo { one, other, store in
            _ = try await one.open(self.first)
            try await self.pulseUnnoticed(store)
            #expect(try await one.pulse(self.first, stream: 0))
        }
    }

    /// Writes a pulse as if the first node had sent it, and its acknowledgement were lost or still on its way.
    private func pulseUnnoticed(_ store: JetStreamStore) async throws {
        let subject = store.subjects.pulse(of: self.first.rawValue, inLog: 0)
        let pulse = StreamMessage(subject: subject, body: Array("open".utf8), replacesSubject: true)
        _ = try await store.write.publish(pulse)
    }

    @Test func `a node that leaves also closes a pulse that was not acknowledged, and none follows`() async throws {
        try await self.withTwo { one, other, store in
            _ = try await one.open(self.first)
            try await self.pulseUnnoticed(store)
            try await one.close(self.first)
            #expect(try await other.answer(self.check(self.first, .read)) == .closed)
            for stream in 0..<4 { #expect(try await !one.pulse(self.first, stream: stream)) }
            #expect(try await other.answer(self.check(self.first, .read)) == .closed)
        }
    }

    @Test func `a node that leaves is known no longer`() async throws {
        try await self.withTwo { one, other, _ in
            _ = try await one.open(self.first)
            try await one.close(self.first)
            let answer = try await other.answer(self.check(self.first, .read))
            #expect(answer == .closed)
            let known = try await other.open(self.second)
            #expect(known.isEmpty)
        }
    }

    @Test func `a node that opens its pulse knows of more others than one answer names`() async throws {
        try await self.withTwo { one, _, store in
            let others = (0..<1100).map { _ in NodeID.random() }
            for other in others {
                let subject = store.subjects.pulse(of: other.rawValue, inLog: 0)
                _ = try await store.write.publish(StreamMessage(subject: subject, body: Array("open".utf8)))
            }
            let known = try await one.open(self.first)
            #expect(known == others.sorted())
        }
    }

    @Test func `a node that never was is closed`() async throws {
        try await self.withTwo { one, _, _ in
            let answer = try await one.answer(self.check(self.first, .read))
            #expect(answer == .closed)
        }
    }
}
