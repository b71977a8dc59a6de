import Testing

@testable import ToastHub

@Suite struct KeyCountTests {
    private func full(_ owners: [String: Int]) -> KeyCount {
        var count = KeyCount()
        count.take(owners, at: 0, limit: owners.values.reduce(0, +))
        return count
    }

    @Test func `below the limit no owner loses a key`() {
        var count = KeyCount()
        count.take(8, at: 0)
        #expect(!count.isUnknown(at: .max, limit: 10))
        #expect([count.add("a", limit: 10), count.add("b", limit: 10)] == [nil, nil])
        // Now an owner may have to lose a key, so the keys per owner must be counted.
        #expect(count.isUnknown(at: 0, limit: 10))
    }

    @Test func `an owner that keeps sending new keys loses its own`() {
        var count = self.full(["greedy": 7, "modest": 3])
        #expect((0..<100).allSatisfy { _ in count.add("greedy", limit: 10) == "greedy" })
        #expect(count.number == 10)
    }

    @Test func `a new key displaces one of the owner with the most, until both have equally many`() {
        var count = self.full(["greedy": 10])
        let losers = (0..<8).map { _ in count.add("modest", limit: 10) }
        #expect(losers == Array(repeating: "greedy", count: 5) + Array(repeating: "modest", count: 3))
    }

    @Test func `no owner loses its only key to another`() {
        var count = self.full(["a": 1, "b": 1])
        #expect(!count.hasRoom(for: "c", limit: 2))
        #expect(count.hasRoom(for: "a", limit: 2))
        #expect(count.add("a", limit: 2) == "a")
    }

    @Test func `a count at the limit expires`() {
        let count = self.full(["a": 3])
        #expect(!count.isUnknown(at: 9_999_999_999, limit: 3))
        #expect(count.isUnknown(at: 10_000_000_000, limit: 3))
        #expect(!count.isUnknown(at: .max, limit: 4))
    }
}
