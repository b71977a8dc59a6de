import Testing
import ToastCore

@testable import ToastStore

/// What a store on a cluster knows of the names of all channels.
@Suite struct JetStreamChannelIndexTests {
    private let now = ContinuousClock.now

    @Test func `a channel that is added during a refresh is kept`() {
        let index = ChannelIndex()
        index.beginRefresh()
        index.add(.make(), at: nil)
        index.finishRefresh([:], begunAt: self.now, at: self.now)
        #expect(index.names(after: nil, limit: 9).map(\.name) == [.make()])
    }

    @Test func `after a refresh that failed, changes are no longer kept for it`() {
        let index = ChannelIndex()
        index.beginRefresh()
        index.endRefresh()
        index.add(.make(), at: nil)
        index.finishRefresh([:], begunAt: self.now, at: self.now)
        #expect(index.count == 0)
    }
}
