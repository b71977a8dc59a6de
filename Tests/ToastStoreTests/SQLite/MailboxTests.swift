import Dispatch
import Foundation
import Testing

@testable import ToastStore

@Suite struct MailboxTests {
    private let mailbox = Mailbox<Int>()

    @Test func `requests are taken together, in their order`() {
        let sent = [1, 2, 3].map { self.mailbox.send($0) }
        #expect(sent == [true, true, true])
        #expect(self.take() == [1, 2, 3])
        #expect(self.take() == [])
    }

    @Test func `a closed mailbox refuses, delivers what waits, and ends`() {
        _ = self.mailbox.send(1)
        self.mailbox.close()
        #expect(self.mailbox.isClosed)
        #expect(!self.mailbox.send(2))
        #expect(self.take() == [1])
        #expect(self.take() == nil)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a request and closing wake a sleeping worker`() async {
        let (batches, continuation) = AsyncStream.makeStream(of: [Int].self)
        Thread { [mailbox] in
            while let batch = mailbox.next(within: .seconds(3600)) { continuation.yield(batch) }
            continuation.finish()
        }.start()
        var taken: [Int] = []
        _ = self.mailbox.send(0)
        for await batch in batches {
            taken += batch
            if taken.count < 100 { _ = self.mailbox.send(taken.count) } else { self.mailbox.close() }
        }
        #expect(taken == Array(0..<100))
    }

    @Test func `a full mailbox refuses the newest`() {
        let isAccepted = Set((0..<Mailbox<Int>.capacity).map { self.mailbox.send($0) })
        let late = self.mailbox.send(-1)
        #expect(isAccepted == [true])
        #expect(!late)
        #expect(self.take()?.count == Mailbox<Int>.capacity)
        #expect(self.mailbox.send(0))
    }

    private func take() -> [Int]? { self.mailbox.next(within: .nanoseconds(0)) }
}
