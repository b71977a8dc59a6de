import Testing

@testable import ToastClient

@Suite struct FollowerTests {
    @Test(
        arguments: [
            (nil, 0, 3), (2, 0, 2), (2, 1, 4), (2, 3, 16), (2, 9, 30), (60, 0, 60), (60, 4, 60), (0, 0, 3),
            (1e300, 9, 3600),
        ] as [(Double?, Int, Double)]
    )
    func theWaitIsAsLongAsTheServerAskedAndLongerAfterEachFailure(requested: Double?, failures: Int, pause: Double) {
        #expect((pause * 0.9...pause * 1.1).contains(Follower.pause(requested, failures: failures)))
    }

    /// A filtered stream sends its position for events that it leaves out: an earlier cursor would in time be so old
    /// that the events after it are gone.
    @Test func theNextConnectionContinuesAtThePositionOfTheStream() {
        var connection = FollowerConnection(cursor: nil)
        _ = connection.take(Array("id: e-1\ndata: {}\n\n".utf8)) { _ in true }
        #expect(connection.cursor == "e-1")
        _ = connection.take(Array("id: e-1501\n\n".utf8)) { _ in true }
        #expect(connection.cursor == "e-1501")
    }
}
