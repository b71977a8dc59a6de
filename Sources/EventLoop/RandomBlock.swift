import CLinux

/// The system's random numbers, drawn a block at a time, because a system call for each would cost more than most uses
/// of one.
///
/// Also what to pass to functions of ours that take a generator `inout`: a `SystemRandomNumberGenerator` has no bytes,
/// so no address either, and ThreadSanitizer crashes at times because it reads the address of what is passed.
public struct RandomBlock: RandomNumberGenerator {
    private var words: [UInt64] = []

    /// A block of which nothing was drawn yet.
    public init() {}

    /// A number that was not given out before.
    public mutating func next() -> UInt64 {
        if self.words.isEmpty { self.words = Self.draw() }
        return self.words.removeLast()
    }

    /// 256 bytes, which getrandom(2) returns whole even when signals come (random(4)).
    private static func draw() -> [UInt64] {
        var words = [UInt64](repeating: 0, count: 32)
        let size = words.count * MemoryLayout<UInt64>.stride
        precondition(unsafe getrandom(&words, size, 0) == size, "The kernel has no random numbers.")
        return words
    }
}

extension EventLoop {
    /// Draws random numbers; on the loop's thread only.
    public func withRandomNumbers<Result>(_ body: (inout RandomBlock) -> Result) -> Result {
        self.state.withValue { body(&$0.random) }
    }
}
