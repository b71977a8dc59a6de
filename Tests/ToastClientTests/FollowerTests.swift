import Testing

@testable import ToastClient

@Suite struct FollowerTests {
    @Test(
        arguments: [
            (nil, 0, 3), (2, 0, 2), (2, 1, 4), (2, 3, 16), (2, 9, 30), (60, 0, 60), (60, 4, 60), (0, 0, 3),
            (1e300, 9, 3600),
        ] as [(Double?, Int, Double)]
    )
    func theWaitIsAsLongAsTheServerAskedAndLongerAfterEachFailure(wish: Double?, failures: Int, rest: Double) {
        #expect((rest * 0.9...rest * 1.1).contains(Follower.rest(wish, failures: failures)))
    }
}
