import Synchronization
import Testing
import ToastCore

@testable import ToastStore

/// The contract on which nodes rely that share sessions and tickets; each test has two nodes.
@Suite(.timeLimit(.minutes(15))) struct CredentialStoreContract {
    @Test func `a ticket is used up once, on any node`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            let minute = Interval(seconds: 60)
            // A closure whose only errors are inside macros is taken for one that throws none.
            let isFirst = try await first.claimTicket(.make("a"), for: minute)
            #expect(isFirst)
            #expect(try await second.claimTicket(.make("a"), for: minute) == false)
            #expect(try await first.claimTicket(.make("a"), for: minute) == false)
            #expect(try await second.claimTicket(.make("b"), for: minute) == true)
        }
    }

    @Test func `of many claims at the same time one succeeds`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            for digit in "0123456789" {
                let id = CredentialID.make(digit)
                let count = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for index in 0..<8 {
                        let node = index.isMultiple(of: 2) ? first : second
                        group.addTask { try await node.claimTicket(id, for: Interval(seconds: 60)) }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(count == 1)
            }
        }
    }

    @Test func `a claim is forgotten when its time is over`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            #expect(try await first.claimTicket(.make("a"), for: Interval(seconds: 1)) == true)
            let end = ContinuousClock.now + .seconds(20)
            var isForgotten = false
            while !isForgotten, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(200))
                isForgotten = try await second.claimTicket(.make("a"), for: Interval(seconds: 60))
            }
            #expect(isForgotten)
        }
    }

    @Test func `nodes learn which sessions have ended, before and after they ask`() async throws {
        try await JetStreamFixture.runTwo { first, second in
            let early = EndedSession(.make("a"), end: .at(7))
            let late = EndedSession(.make("b"), end: .at(8))
            try await first.endSession(early, for: Interval(seconds: 60))
            let (heard, own) = (Heard(), Heard())
            try await second.observeEndedSessions { heard.add($0) }
            #expect(heard.sessions == [early])
            try await first.observeEndedSessions { own.add($0) }
            try await first.endSession(late, for: Interval(seconds: 60))
            try await heard.wait(for: late)
            try await own.wait(for: late)
            // A second time changes nothing.
            try await second.endSession(early, for: Interval(seconds: 60))
            let third = Heard()
            try await first.observeEndedSessions { third.add($0) }
            #expect(Set(third.sessions) == [early, late])
        }
    }
}

/// The ended sessions of which a node has learned.
final class Heard: Sendable {
    private let list = Mutex<[EndedSession]>([])

    var sessions: [EndedSession] { self.list.withLock(\.self) }

    func add(_ sessions: [EndedSession]) { self.list.withLock { $0 += sessions } }

    func wait(for session: EndedSession) async throws {
        let end = ContinuousClock.now + .seconds(10)
        while !self.sessions.contains(session) {
            try #require(ContinuousClock.now < end)
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

extension CredentialID {
    static func make(_ digit: Character) -> Self {
        guard let id = Self(rawValue: String(repeating: digit, count: 32)) else {
            preconditionFailure("\(digit) is no hexadecimal digit.")
        }
        return id
    }
}
