/// Makes bytes that are nearly seeds, always the same ones: a bit, a byte, a piece of another seed, fewer or more.
struct Mutator {
    private let seeds: [[UInt8]]
    private var state: UInt64 = 0x7061_7274

    init(seeds: [[UInt8]]) {
        self.seeds = seeds
    }

    private static let favourites: [UInt8] = Array("\0\r\n \",-./09:;=[\\]{}~%*\u{7F}".utf8) + [128, 255]

    mutating func next() -> [UInt8] {
        var bytes = self.seed()
        for _ in 0...self.number(below: 4) { self.mutate(&bytes) }
        return bytes
    }

    private mutating func seed() -> [UInt8] { self.seeds[self.number(below: self.seeds.count)] }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(self.number(below: 256))) }
        let place = self.number(below: bytes.count)
        let range = place..<min(bytes.count, place + 1 + self.number(below: 8))
        switch self.number(below: 7) {
        case 0: bytes[place] ^= 1 << UInt8(self.number(below: 8))
        case 1: bytes[place] = Self.favourites[self.number(below: Self.favourites.count)]
        case 2: bytes.insert(Self.favourites[self.number(below: Self.favourites.count)], at: place)
        case 3: bytes.removeSubrange(range)
        case 4: bytes.insert(contentsOf: bytes[range], at: place)
        case 5:
            let other = self.seed()
            let start = self.number(below: other.count + 1)
            bytes.replaceSubrange(place..., with: other[start...])
        default:
            let digits = Array(["9", "18446744073709551616", "-1", "1e308", "0.001"][self.number(below: 5)].utf8)
            bytes.replaceSubrange(range, with: digits)
        }
    }

    /// SplitMix64.
    private mutating func number(below bound: Int) -> Int {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
