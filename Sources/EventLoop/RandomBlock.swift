import CLinux

/// The system's random numbers, drawn in blocks of 256 bytes to save system calls.
///
/// Pass this to our functions that take a generator `inout`, rather than a `SystemRandomNumberGenerator`: that has no
/// storage and so no address of its own, and ThreadSanitizer, which reads the address, sometimes crashes.
public struct RandomBlock: RandomNumberGenerator {
    private var words: [UInt64] = []

    /// An empty block, which is filled at the first use.
    public init() {}

    /// Takes the next number; an empty block is filled first.
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
