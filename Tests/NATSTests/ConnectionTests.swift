import Dispatch
import EventLoop
import NATS
import NATSTestServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15)), .serialized)
struct ConnectionTests {
    @Test func `a connection says when it is open and when it is closed`() async throws {
        try await withServer { _, test in
            #expect(test.connection.isOpen)
            await test.connection.close()
            await test.connection.close()
            #expect(!test.connection.isOpen)
            #expect(test.events.values.count == 2)
            #expect(test.events.values.last == .closed)
            #expect(throws: NATSError.closed) { try test.connection.publish(NATSMessage(subject: "a")) }
            await #expect(throws: NATSError.closed) {
                try await test.client.request(NATSMessage(subject: "a"), timeout: .seconds(1))
            }
            #expect(throws: NATSError.closed) { try test.connection.subscribe(to: "a", on: test.loop) { _ in } }
        }
    }

    @Test func `an old server is refused by its version`() async throws {
        let server = try FakeServer(version: "2.10.26")
        defer { server.end() }
        let options = ConnectionOptions(servers: ["nats://127.0.0.1:\(server.port)"])
        let events = Recorder<ConnectionEvent>()
        let error = try #require(await connectionError(options) { events.append($0) })
        #expect("\(error)".contains("2.10.26"))
        #expect("\(error)".contains("2.12.0 or later"))
        // A connection that was never open is not reported as lost.
        #expect(events.values.isEmpty)
    }

    @Test func `a server that is not there is an error`() async throws {
        let server = try NATSServer.start()
        let url = server.url
        server.end()
        let error = try #require(await connectionError(ConnectionOptions(servers: [url])))
        guard case .cannotConnect = error else {
            Issue.record("\(error)")
            return
        }
    }

    @Test func `a request gets the answer of a subscription, with its headers`() async throws {
        try await withServer { _, test in
            let connection = test.connection
            let subscription = try connection.subscribe(to: "echo.*", on: test.loop) { event in
                guard case .message(let message) = event, let reply = message.reply else { return }
                let answer = NATSMessage(
                    subject: reply,
                    headers: ["About": message.headers["Question"] ?? ""],
                    body: message.body.reversed()
                )
                try? connection.publish(answer)
            }
            let question = NATSMessage(subject: "echo.a", headers: ["Question": "why: ü"], body: [0, 1, 2, 255])
            let answer = try await test.client.request(question, timeout: .seconds(10))
            #expect(answer.body == [255, 2, 1, 0])
            #expect(answer.headers["About"] == "why: ü")
            subscription.end()
        }
    }

    @Test func `a request fails at once without a subscriber, and after its timeout without an answer`() async throws {
        try await withServer { _, test in
            await #expect(throws: NATSError.noResponders) {
                try await test.client.request(NATSMessage(subject: "nobody"), timeout: .seconds(10))
            }
            let subscription = try test.connection.subscribe(to: "silent", on: test.loop) { _ in }
            await #expect(throws: NATSError.timeout) {
                try await test.client.request(NATSMessage(subject: "silent"), timeout: .milliseconds(50))
            }
            #expect(test.client.pendingRequests == 0)
            subscription.end()
        }
    }

    @Test func `each request ends after its own timeout`() async throws {
        try await withServer { _, test in
            let subscription = try test.connection.subscribe(to: "silent", on: test.loop) { _ in }
            let ends = Recorder<Int>()
            // Some end before requests that were sent earlier; the last one does not end in this test.
            for (number, milliseconds) in [200, 50, 400, 30, 60_000].enumerated() {
                test.client.request(NATSMessage(subject: "silent"), timeout: .milliseconds(milliseconds)) { result in
                    if result.failure == .timeout { ends.append(number) }
                    return .done
                }
            }
            #expect(await Set(ends.wait { $0.count == 4 }) == [0, 1, 2, 3])
            #expect(test.client.pendingRequests == 1)
            subscription.end()
        }
    }

    @Test func `messages come in order`() async throws {
        try await withServer { _, test in
            let got = Recorder<NATSMessage>()
            let subscription = try test.connection.subscribe(to: "order.>", on: test.loop) { event in
                if case .message(let message) = event { got.append(message) }
            }
            for number in 0..<2000 {
                try test.connection.publish(NATSMessage(subject: "order.\(number % 7)", body: bytes("\(number)")))
            }
            let all = await got.wait { $0.count == 2000 }
            #expect(all.map(\.body) == (0..<2000).map { bytes("\($0)") })
            subscription.end()
        }
    }

    @Test(arguments: [false, true])
    func `messages past the limit are dropped and counted, unless the subscription has ended`(ends: Bool) async throws {
        try await withServer {
            $0.maximumUnhandledBytes = 1000
        } _: { _, test in
            let got = Recorder<SubscriptionEvent>()
            let subscription = Mutex<Subscription?>(nil)
            let gate = DispatchSemaphore(value: 0)
            test.loop.execute { gate.wait() }
            let started = try test.connection.subscribe(to: "news", on: test.loop) { event in
                got.append(event)
                if ends, got.values.count == 2 { subscription.withLock { $0?.end() } }
            }
            subscription.withLock { $0 = started }
            // When another subscription has a message, the first one has all before it.
            let control = Recorder<SubscriptionEvent>()
            let other = try test.connection.subscribe(to: "news") { control.append($0) }
            for (index, size) in [600, 700, 800, 10, 20].enumerated() {
                try test.connection.publish(NATSMessage(subject: "news", body: Array(repeating: 0, count: size)))
                _ = await control.wait { $0.count == index + 1 }
            }
            gate.signal()
            let isOver = Recorder<Bool>()
            test.loop.execute { isOver.append(true) }
            _ = await isOver.wait { !$0.isEmpty }
            let sizes = got.values.compactMap { if case .message(let message) = $0 { message.body.count } else { nil } }
            #expect(sizes.prefix(2) == [600, 10])
            #expect(got.values.contains(.dropped(2)) != ends)
            started.end()
            other.end()
        }
    }

    @Test(arguments: ["", "a b", "a\r\nPING", "a\u{0}"])
    func `an invalid subject is refused`(subject: String) async throws {
        try await withServer { _, test in
            #expect(throws: NATSError.invalid("the subject \"\(subject)\"")) {
                try test.connection.publish(NATSMessage(subject: subject))
            }
        }
    }

    @Test func `a header field of two lines and a message that is too large are refused`() async throws {
        try await withServer { _, test in
            #expect(throws: NATSError.invalid("the header field A")) {
                try test.connection.publish(NATSMessage(subject: "a", headers: ["A": "b\r\nC: d"]))
            }
            #expect(throws: NATSError.tooLarge(limit: 1 << 20)) {
                try test.connection.publish(NATSMessage(subject: "a", body: Array(repeating: 0, count: 1 << 20)))
            }
        }
    }

    @Test func `requests past the limit are refused`() async throws {
        try await withServer {
            $0.maximumRequests = 2
        } _: { _, test in
            let subscription = try test.connection.subscribe(to: "silent", on: test.loop) { _ in }
            let ends = Recorder<NATSError?>()
            for _ in 0..<3 {
                test.client.request(NATSMessage(subject: "silent"), timeout: .seconds(60)) { result in
                    ends.append(result.failure)
                    return .done
                }
            }
            #expect(await ends.wait { !$0.isEmpty } == [.overloaded])
            subscription.end()
        }
    }

    @Test func `closing ends the requests that wait`() async throws {
        try await withServer { _, test in
            let subscription = try test.connection.subscribe(to: "silent", on: test.loop) { _ in }
            let ends = Recorder<NATSError?>()
            for _ in 0..<500 {
                test.client.request(NATSMessage(subject: "silent"), timeout: .seconds(60)) { result in
                    ends.append(result.failure)
                    return .done
                }
            }
            await test.connection.close()
            let all = await ends.wait { $0.count == 500 }
            #expect(all.allSatisfy { $0 == .connectionLost })
            #expect(test.client.pendingRequests == 0)
            subscription.end()
        }
    }

    @Test func `a client reconnects to a restarted server and subscribes again`() async throws {
        try await withServer { server, test in
            let got = Recorder<NATSMessage>()
            let subscription = try test.connection.subscribe(to: "news", on: test.loop) { event in
                if case .message(let message) = event { got.append(message) }
            }
            let silent = try test.connection.subscribe(to: "silent", on: test.loop) { _ in }
            let ends = Recorder<NATSError?>()
            test.client.request(NATSMessage(subject: "silent"), timeout: .seconds(60)) { result in
                ends.append(result.failure)
                return .done
            }
            // When the server answers this later request, it has the first one.
            await #expect(throws: NATSError.noResponders) {
                try await test.client.request(NATSMessage(subject: "nobody"), timeout: .seconds(10))
            }
            server.kill()
            _ = await test.events.wait { $0.contains(.disconnected) }
            #expect(await ends.wait { !$0.isEmpty } == [.connectionLost])
            #expect(throws: NATSError.notConnected) { try test.connection.publish(NATSMessage(subject: "news")) }
            await #expect(throws: NATSError.notConnected) {
                try await test.client.request(NATSMessage(subject: "news"), timeout: .seconds(10))
            }
            try server.restart()
            _ = await test.events.wait { $0.count == 3 }
            #expect(test.connection.isOpen)
            try test.connection.publish(NATSMessage(subject: "news", body: bytes("again")))
            #expect(await got.wait { !$0.isEmpty }.map(\.body) == [bytes("again")])
            subscription.end()
            silent.end()
        }
    }

    @Test func `events come from one thread, so in the order in which they happened`() async throws {
        try await withServer { server, test in
            server.kill()
            _ = await test.events.wait { $0.contains(.disconnected) }
            try server.restart()
            _ = await test.events.wait { $0.count == 3 }
            await test.connection.close()
            let events = test.events.values
            #expect(events.count == 4)
            #expect(events == [events[0], .disconnected, events[0], .closed])
            #expect(Set(test.threads.values).count == 1)
        }
    }
}

extension Result {
    /// The error of a failure; nil for a success.
    var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// Why a connection cannot be made; nil when it can.
private func connectionError(
    _ options: ConnectionOptions,
    onEvent: @escaping @Sendable (ConnectionEvent) -> Void = { _ in }
) async -> NATSError? {
    do throws(NATSError) {
        let connection = try await NATSConnection.connect(options, onEvent: onEvent)
        await connection.close()
        return nil
    } catch {
        return error
    }
}
