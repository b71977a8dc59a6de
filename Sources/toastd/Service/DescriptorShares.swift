import MicroHTTP

/// How the process shares its descriptors out.
struct DescriptorShares {
    /// For the store, the loops and the listening sockets.
    let reserved: Int
    /// For the streams of a loop: most, because requests are short.
    let streams: Int
    /// For the other connections of a loop.
    let connections: Int

    init(loops: Int) {
        self.reserved = min(256, SystemLimits.descriptors / 4)
        let share = max(16, (SystemLimits.descriptors - self.reserved) / loops)
        (self.streams, self.connections) = (share * 3 / 4, share / 4)
    }
}
