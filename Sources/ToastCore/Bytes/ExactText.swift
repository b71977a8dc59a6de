/// A text that equals another one only if both have the same bytes: a name of a JSON member in a set or a dictionary.
struct ExactText: Hashable {
    let text: String

    static func == (one: Self, other: Self) -> Bool { one.text.hasSameBytes(as: other.text) }

    /// Hashes the bytes: all spellings of the same characters have the same hash as a `String`, which a hostile object
    /// could use.
    func hash(into hasher: inout Hasher) {
        for byte in self.text.utf8 { hasher.combine(byte) }
    }
}
