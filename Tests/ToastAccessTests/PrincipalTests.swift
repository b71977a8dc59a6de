import Testing
import ToastCore

@testable import ToastAccess

@Suite struct PrincipalTests {
    /// A principal lists the names of channels that it may subscribe to, and reads hardly any others.
    @Test(arguments: [
        ["*"], ["b"], ["b*"], ["a-*", "zz"], ["-*", "a"], ["--"], ["0*", "Z*", "_*", "z*"], ["b-1", "b-*", "b*"],
        ["zz"],
    ])
    func channelsAreFoundInOrder(patterns: [String]) throws {
        let letters = ["-", "0", "9", "A", "Z", "_", "a", "b", "z"]
        let texts = letters + letters.flatMap { one in letters.map { one + $0 } } + ["b-1", "a-z", "zzz", "a\u{2D}-"]
        let names = texts.compactMap { ChannelName(rawValue: $0) }.sorted()
        let grants = [Grant([.subscribe], on: patterns.compactMap { ChannelPattern(rawValue: $0) }), Grant([.publish])]
        let principal = Principal(name: "key:1", grants: grants)
        var (found, looks, place): ([ChannelName], Int, ChannelName?) = ([], 0, nil)
        while let start = principal.start(of: .subscribe, after: place) {
            looks += 1
            guard let next = names.first(where: { name in start.map { $0 < name } ?? true }) else { break }
            if principal.may(.subscribe, on: next) { found.append(next) }
            place = next
        }
        #expect(found == names.filter { principal.may(.subscribe, on: $0) })
        #expect(looks <= found.count + patterns.count + 1)
    }

    @Test func restrictionNeverAddsARight() throws {
        let ops = try #require(ChannelName(rawValue: "ops"))
        let other = try #require(ChannelName(rawValue: "other"))
        let pattern = try #require(ChannelPattern(rawValue: "ops*"))
        let end = Instant(nanoseconds: 5)
        let principal = Principal(name: "key:1", grants: [Grant([.publish, .subscribe], on: [pattern])])
        let restricted = principal.restricted(to: [.subscribe, .manage], on: [ops, other], until: end)
        #expect(restricted.may(.subscribe, on: ops))
        #expect(!restricted.may(.subscribe, on: other))
        #expect(!restricted.may(.publish, on: ops))
        #expect(!restricted.may(.manage, on: ops))
        #expect(restricted.expires == end)
    }
}
