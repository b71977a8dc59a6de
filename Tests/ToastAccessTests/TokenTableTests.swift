import Testing
import ToastCore

@testable import ToastAccess

/// How many sessions and tickets one principal may have.
@Suite struct TokenTableTests {
    private let now = Instant(nanoseconds: 1_800_000_000_000_000_000)

    private func principal(_ name: String) -> Principal { Principal(name: name, grants: []) }

    @Test func thePrincipalThatAsksForMoreLosesItsOwnOldest() throws {
        var names = TokenTable(atMost: 100)
        let end = self.now + Interval(seconds: 60)
        let others = try (0..<5).map { try names.issue(for: self.principal("token:\($0)"), until: end, at: self.now) }
        let greedy = self.principal("key:1")
        let mine = try (0..<1000).map { _ in try names.issue(for: greedy, until: end, at: self.now) }
        #expect(names.count == 15)
        for name in others + mine.suffix(10) { #expect(names.principal(of: name, at: self.now) != nil) }
        for name in mine.dropLast(10) { #expect(names.principal(of: name, at: self.now) == nil) }
    }

    @Test func aFullTableReplacesAPrincipalsOldestNameOrRefuses() throws {
        var names = TokenTable(atMost: 100)
        let end = self.now + Interval(seconds: 60)
        var all: [String] = []
        for holder in 0..<10 {
            for _ in 0..<10 { all.append(try names.issue(for: self.principal("\(holder)"), until: end, at: self.now)) }
        }
        #expect(throws: AuthenticationError.full) {
            try names.issue(for: self.principal("new"), until: end, at: self.now)
        }
        let displaced = try names.issue("mine", for: self.principal("3"), until: end, at: self.now)
        #expect(displaced?.end == end)
        #expect(all.filter { names.principal(of: $0, at: self.now) == nil } == [all[30]])
        _ = try names.issue(for: self.principal("new"), until: end + Interval(seconds: 60), at: end)
        #expect(names.count == 1)
    }

    @Test func namesThatHaveEndedGoWhenTheirHolderAsksForMore() throws {
        var names = TokenTable(atMost: 1000)
        var now = self.now
        for _ in 0..<50 {
            _ = try names.issue(for: self.principal("key:1"), until: now + Interval(seconds: 5), at: now)
            now = now + Interval(seconds: 1)
        }
        #expect(names.count == 5)
    }

    @Test func aFewOfManyNamesThatHaveEndedGoForEachThatIsIssued() throws {
        var names = TokenTable(atMost: 1000)
        let end = self.now + Interval(seconds: 60)
        for number in 0..<1000 { _ = try names.issue(for: self.principal("\(number)"), until: end, at: self.now) }
        let later = end + Interval(seconds: 60)
        _ = try names.issue(for: self.principal("new"), until: later, at: end)
        #expect(names.count > 700)
        for number in 0..<999 { _ = try names.issue(for: self.principal("late:\(number)"), until: later, at: end) }
        #expect(names.count == 1000)
        #expect(throws: AuthenticationError.full) {
            try names.issue(for: self.principal("last"), until: later, at: end)
        }
    }

    @Test func namesThatAreUsedUpTakeNoRoom() throws {
        var names = TokenTable(atMost: 100)
        let end = self.now + Interval(seconds: 60)
        let kept = try names.issue(for: self.principal("key:1"), until: end, at: self.now)
        for _ in 0..<1000 {
            let name = try names.issue(for: self.principal("key:1"), until: end, at: self.now)
            let wasThere = names.withdraw(name)
            #expect(wasThere)
        }
        #expect(names.count == 1)
        #expect(names.principal(of: kept, at: self.now) != nil)
        for _ in 0..<9 { _ = try names.issue(for: self.principal("key:1"), until: end, at: self.now) }
        #expect(names.principal(of: kept, at: self.now) != nil)
        _ = try names.issue(for: self.principal("key:1"), until: end, at: self.now)
        #expect(names.principal(of: kept, at: self.now) == nil)
    }
}
