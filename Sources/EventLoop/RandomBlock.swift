/// The system's random numbers, drawn a block at a time: a call of the kernel costs more than what most numbers are for.
public struct RandomBlock: RandomNumberGenerator {
    private var words: [UInt64] = []

    init() {}

    /// A number that was not given out before.
    public mutating func next() -> UInt64 {
        if self.words.isEmpty { self.words = SystemCalls.randomWords() }
        return self.words.removeLast()
    }
}

extension EventLoop {
    /// Draws random numbers; on the loop's thread only.
    public func withRandomNumbers<Result>(_ body: (inout RandomBlock) -> Result) -> Result {
        self.state.withValue { body(&$0.random) }
    }
}
