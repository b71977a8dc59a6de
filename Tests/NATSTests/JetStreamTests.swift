import NATSTestServer
import Testing
import ToastCore

@testable import NATS

@Suite(.timeLimit(.minutes(15)), .serialized)
struct JetStreamTests {
    @Test func `a stream is made once, and stays as it was made`() async throws {
        try await withServer { _, test in
            #expect(try await test.jetStream.clock(of: "LOG") == nil)
            try await test.makeStream()
            try await test.makeStream()
            // As if another client made it at the same time, with other settings.
            let other = #"{"name":"LOG","subjects":["LOG.>","more"],"storage":"file"}"#
            try await test.jetStream.makeStream("LOG", configuration: Array(other.utf8))
            let clock = try #require(try await test.jetStream.clock(of: "LOG"))
            #expect(clock > Instant(nanoseconds: 1_700_000_000_000_000_000))
            await #expect(throws: NATSError.noResponders) {
                try await test.jetStream.publish(StreamMessage(subject: "more", body: []))
            }
        }
    }

    @Test func `a message is stored under its condition only`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            let first = StreamMessage(subject: "LOG.a", body: bytes("1"), expectedLastSequence: 0)
            #expect(try await test.jetStream.publish(first) == 1)
            let reason = try #require(await refusal { _ = try await test.jetStream.publish(first) })
            #expect(reason.errorCode == JetStreamRefusal.wrongLastSequence)
            let second = StreamMessage(subject: "LOG.a", body: bytes("2"), expectedLastSequence: 1)
            #expect(try await test.jetStream.publish(second) == 2)
        }
    }

    @Test func `a batch is stored as a whole or not at all`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            let batch = [
                StreamMessage(subject: "LOG.k", body: bytes("k"), timeToLive: .seconds(3600)),
                StreamMessage(subject: "LOG.s", body: bytes("s"), replacesSubject: true),
                StreamMessage(subject: "LOG.c", body: bytes("c"), expectedLastSequence: 0),
            ]
            #expect(try await test.jetStream.publish(batch: batch) == 3)
            let reason = try #require(await refusal { _ = try await test.jetStream.publish(batch: batch) })
            #expect(reason.errorCode == JetStreamRefusal.wrongLastSequence)
            #expect(try await test.jetStream.lastMessage(of: "LOG.>", in: "LOG")?.sequence == 3)
            #expect(try await test.jetStream.publish(batch: [StreamMessage(subject: "LOG.d", body: [])]) == 4)
            await #expect(throws: NATSError.invalid("a batch of 0 messages")) {
                try await test.jetStream.publish(batch: [])
            }
        }
    }

    @Test func `the reason why a batch cannot begin is told`() async throws {
        try await withServer { _, test in
            try await test.jetStream.makeStream("P", configuration: Array(#"{"name":"P","subjects":["P.>"]}"#.utf8))
            let batch = (0..<3).map { StreamMessage(subject: "P.\($0)", body: []) }
            let reason = try #require(await refusal { _ = try await test.jetStream.publish(batch: batch) })
            #expect(reason.description.contains("batch publish not enabled") || reason.errorCode == 10174)
        }
    }

    @Test func `single messages are read from the leader`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            let message = StreamMessage(subject: "LOG.a", body: [0, 255, 10], headers: ["First": "1", "Last": "2"])
            _ = try await test.jetStream.publish(message)
            let last = try #require(try await test.jetStream.lastMessage(of: "LOG.a", in: "LOG"))
            #expect(last.sequence == 1)
            #expect(last.body == [0, 255, 10])
            #expect(last.headers["First"] == "1")
            #expect(last.headers["Last"] == "2")
            #expect(last.timestamp > Instant(nanoseconds: 1_700_000_000_000_000_000))
            #expect(try await test.jetStream.lastMessage(of: "LOG.b", in: "LOG") == nil)
        }
    }

    @Test func `a subject is read in parts`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            for number in 1...10 {
                let subject = number % 2 == 0 ? "LOG.even" : "LOG.odd"
                _ = try await test.jetStream.publish(
                    StreamMessage(subject: subject, body: bytes("\(number)"), headers: ["N": "\(number)"])
                )
            }
            let part = try await test.jetStream.messages(of: "LOG.even", in: "LOG", from: 3, count: 2)
            #expect(part.messages.map(\.sequence) == [4, 6])
            #expect(part.messages.map { $0.headers } == [["N": "4"], ["N": "6"]])
            #expect(part.remaining == 2)
            let rest = try await test.jetStream.messages(of: "LOG.even", in: "LOG", from: 7)
            #expect(rest.messages.map(\.body) == [bytes("8"), bytes("10")])
            #expect(rest.remaining == 0)
            let small = try await test.jetStream.messages(of: "LOG.>", in: "LOG", from: 0, bytes: 1)
            #expect(small.messages.map(\.sequence) == [1])
            let none = try await test.jetStream.messages(of: "LOG.none", in: "LOG", from: 0)
            #expect(none.messages.isEmpty)
        }
    }

    @Test func `the last messages of many subjects come with the end of the stream`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            for number in 1...6 {
                _ = try await test.jetStream.publish(
                    StreamMessage(subject: "LOG.\(number % 3)", body: bytes("\(number)"))
                )
            }
            let all = try await test.jetStream.lastMessages(of: ["LOG.>"], in: "LOG")
            #expect(all.messages.map(\.sequence) == [4, 5, 6])
            #expect(all.remaining == 0)
            #expect(all.upTo == 6)
            let first = try await test.jetStream.lastMessages(of: ["LOG.>"], in: "LOG", bytes: 1)
            #expect(first.messages.map(\.sequence) == [4])
            #expect(first.remaining == 2)
            let some = try await test.jetStream.lastMessages(of: ["LOG.1", "LOG.none"], in: "LOG")
            #expect(some.messages.map(\.body) == [bytes("4")])
            #expect(some.upTo == 6)
        }
    }

    @Test func `subjects are purged and listed`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            for number in 1...6 {
                _ = try await test.jetStream.publish(StreamMessage(subject: "LOG.\(number % 2)", body: []))
            }
            #expect(try await test.jetStream.subjects(in: "LOG", matching: "LOG.>") == ["LOG.0": 3, "LOG.1": 3])
            #expect(try await test.jetStream.purge("LOG.0", in: "LOG", before: 6) == 2)
            #expect(try await test.jetStream.purge("LOG.1", in: "LOG", before: 3) == 1)
            #expect(try await test.jetStream.subjects(in: "LOG", matching: "LOG.>") == ["LOG.0": 1, "LOG.1": 2])
            #expect(try await test.jetStream.purge("LOG.>", in: "LOG") == 3)
        }
    }

    @Test func `a consumer is made and removed, more than once`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            for _ in 0..<3 { _ = try await test.jetStream.publish(StreamMessage(subject: "LOG.a", body: [])) }
            let document = #"{"name":"C","ack_policy":"none","filter_subjects":["LOG.a"],"mem_storage":true}"#
            let configuration = Array(document.utf8)
            let count = try await test.jetStream.makeConsumer("C", of: "LOG", configuration: configuration)
            #expect(count == 3)
            try await test.jetStream.removeConsumer("C", of: "LOG")
            try await test.jetStream.removeConsumer("C", of: "LOG")
            let reason = await refusal {
                _ = try await test.jetStream.makeConsumer("C", of: "NONE", configuration: configuration)
            }
            #expect(reason?.code == 404)
        }
    }

    @Test func `a message with a time to live is removed`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            _ = try await test.jetStream.publish(StreamMessage(subject: "LOG.t", body: [], timeToLive: .seconds(1)))
            // If the message stays, the suite's time limit ends this loop.
            while try await test.jetStream.lastMessage(of: "LOG.t", in: "LOG") != nil {}
            let again = StreamMessage(subject: "LOG.t", body: [], expectedLastSequence: 0)
            _ = try await test.jetStream.publish(again)
        }
    }

    @Test func `many publishes are under way at once`() async throws {
        try await withServer { _, test in
            try await test.makeStream()
            let count = 20_000
            let sequences = Recorder<UInt64>()
            let failures = Recorder<NATSError>()
            let jetStream = test.jetStream
            let clock = ContinuousClock()
            let start = clock.now
            for number in 0..<count {
                jetStream.publish(StreamMessage(subject: "LOG.\(number % 100)", body: Array(repeating: 1, count: 400)))
                {
                    switch $0 {
                    case .success(let sequence): sequences.append(sequence)
                    case .failure(let error): failures.append(error)
                    }
                }
            }
            _ = await sequences.wait { $0.count == count }
            print("20,000 publishes: \(clock.now - start)")
            #expect(failures.values.isEmpty)
            #expect(Set(sequences.values).count == count)
        }
    }

    @Test func `a cluster goes on when the leader of a stream is killed`() async throws {
        let servers = try NATSServer.startCluster()
        defer { for server in servers { server.end() } }
        let test = try await TestConnection(servers)
        do {
            try await test.makeStream(replicas: 3)
            _ = try await test.jetStream.publish(StreamMessage(subject: "LOG.a", body: bytes("1")))
            let leader = try await test.jetStream.call("STREAM.INFO.LOG")["cluster"]?["leader"]?.string
            try #require(servers.first { $0.name == leader }).kill()
            var jetStream = test.jetStream
            jetStream.timeout = .seconds(1)
            // Sends the same message until it is stored; its condition holds only once.
            let body = bytes("2")
            let message = StreamMessage(subject: "LOG.a", body: body, expectedLastSequence: 1)
            while true {
                _ = try? await jetStream.publish(message)
                if (try? await jetStream.lastMessage(of: "LOG.a", in: "LOG"))?.body == body { break }
            }
            #expect(try await test.jetStream.lastMessage(of: "LOG.>", in: "LOG")?.sequence == 2)
        } catch {
            await test.end()
            throw error
        }
        await test.end()
    }
}

/// The reason for which JetStream refused the request of the body; nil when it did not.
private func refusal(_ body: () async throws -> Void) async -> JetStreamRefusal? {
    do {
        try await body()
        return nil
    } catch {
        guard case .refused(let refusal) = error as? NATSError else { return nil }
        return refusal
    }
}
