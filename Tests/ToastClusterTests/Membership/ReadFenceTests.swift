import Testing
import ToastCore

@testable import ToastCluster

@Suite struct ReadFenceTests {
    private var fence = ReadFence(streams: 4)

    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + Interval(seconds: seconds) }

    @Test mutating func `the fence opens with an acknowledgement, and shuts three seconds after the pulse was sent`() {
        #expect(self.fence.isShut(at: Self.at(10)))
        self.fence.confirm(stream: 1, sentAt: Self.at(10))
        #expect(self.fence.mayAnswer(stream: 1, at: Self.at(12.999)))
        #expect(!self.fence.mayAnswer(stream: 1, at: Self.at(13)))
        #expect(self.fence.isShut(at: Self.at(13)))
    }

    @Test mutating func `each stream has its own fence`() {
        self.fence.confirm(stream: 1, sentAt: Self.at(10))
        self.fence.confirm(stream: 2, sentAt: Self.at(12))
        #expect(!self.fence.mayAnswer(stream: 1, at: Self.at(14)))
        #expect(self.fence.mayAnswer(stream: 2, at: Self.at(14)))
        #expect(!self.fence.mayAnswer(stream: 0, at: Self.at(11)))
        #expect(!self.fence.isShut(at: Self.at(14)))
    }

    @Test mutating func `a late acknowledgement does not shorten the time of the fence`() {
        self.fence.confirm(stream: 0, sentAt: Self.at(12))
        self.fence.confirm(stream: 0, sentAt: Self.at(10))
        #expect(self.fence.mayAnswer(stream: 0, at: Self.at(14)))
    }

    @Test mutating func `a lost connection shuts the fence at once`() {
        self.fence.confirm(stream: 0, sentAt: Self.at(12))
        self.fence.shut()
        #expect(!self.fence.mayAnswer(stream: 0, at: Self.at(12)))
    }

    @Test(arguments: [-1, 4])
    mutating func `a stream that does not exist has no answers`(stream: Int) {
        self.fence.confirm(stream: stream, sentAt: Self.at(1))
        #expect(!self.fence.mayAnswer(stream: stream, at: Self.at(1)))
    }
}
