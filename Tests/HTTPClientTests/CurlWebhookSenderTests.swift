import Foundation
import Glibc
import Testing

@testable import HTTPClient
import InternetAddresses

@Suite struct CurlWebhookSenderTests {
    private let loopback = AddressPolicy(allowing: [AddressBlock("127.0.0.0/8")].compactMap { $0 })

    /// A sender to this machine, whose timeout is longer than a busy machine delays a test.
    private func makeSender() throws -> CurlWebhookSender {
        let timeouts = EasyHandle.Timeouts(connect: 300_000, total: 300_000)
        return try CurlWebhookSender(policy: self.loopback, timeouts: timeouts)
    }

    @Test func `a request arrives as it was written, and its answer comes back`() async throws {
        let receiver = try Receiver(answers: ["HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok"])
        let sender = try self.makeSender()
        let request = OutgoingRequest(
            url: "http://127.0.0.1:\(receiver.port)/hook?a=b",
            headers: [("Content-Type", "text/x"), ("webhook-id", "m/1")],
            body: Array("a body with \0 and ü".utf8)
        )
        #expect(await sender.post(request) == .answered(status: 202, retryAfter: nil))
        let received = await receiver.request()
        #expect(received.hasPrefix("POST /hook?a=b HTTP/1.1\r\n"))
        #expect(received.contains("\r\nContent-Type: text/x\r\n"))
        #expect(received.contains("\r\nwebhook-id: m/1\r\n"))
        #expect(received.hasSuffix("\r\n\r\na body with \0 and ü"))
        await sender.close()
        #expect(await sender.post(request) == .closed)
    }

    @Test(arguments: [
        ("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", 302, nil as Int?),
        ("HTTP/1.1 429 Slow\r\nRetry-After: 17\r\nContent-Length: 0\r\n\r\n", 429, 17),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n" + String(repeating: "x", count: 200_000), 200, nil),
    ])
    func `an answer counts by its status alone`(answer: String, status: Int, retryAfter: Int?) async throws {
        let receiver = try Receiver(answers: [answer])
        let sender = try self.makeSender()
        let request = OutgoingRequest(url: "http://127.0.0.1:\(receiver.port)/", headers: [], body: [])
        #expect(await sender.post(request) == .answered(status: status, retryAfter: retryAfter))
        await sender.close()
    }

    @Test func `an interim response alone is no answer`() async throws {
        let receiver = try Receiver(answers: ["HTTP/1.1 100 Continue\r\n\r\n"], closes: true)
        let sender = try self.makeSender()
        let request = OutgoingRequest(url: "http://127.0.0.1:\(receiver.port)/", headers: [], body: [])
        let outcome = await sender.post(request)
        guard case .failed = outcome else {
            Issue.record("\(outcome)")
            return
        }
        await sender.close()
    }

    @Test(arguments: ["127.0.0.1", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "localhost"])
    func `whatever the name, a private address is not connected to`(host: String) async throws {
        let receiver = try Receiver(answers: [])
        let sender = try CurlWebhookSender(policy: AddressPolicy())
        let request = OutgoingRequest(url: "http://\(host):\(receiver.port)/", headers: [], body: [])
        guard case .forbidden = await sender.post(request) else {
            Issue.record("\(host) was not refused.")
            return
        }
        #expect(!receiver.wasAsked)
        await sender.close()
    }

    @Test func `the connections of a group to one address are bounded, whatever its names`() async throws {
        let receiver = try Receiver(answers: [])
        let sender = try self.makeSender()
        func request(_ group: String, _ host: String) -> OutgoingRequest {
            let sharing = ConnectionSharing(group: group, limit: 1)
            return OutgoingRequest(url: "http://\(host):\(receiver.port)/", headers: [], body: [], sharing: sharing)
        }
        async let first = sender.post(request("a", "127.0.0.1"))
        while !receiver.wasAsked { await Task.yield() }
        #expect(await sender.post(request("a", "localhost")) == .crowded(address: "127.0.0.1"))
        // Connections to another address are counted separately; nothing listens there.
        guard case .failed = await sender.post(request("a", "127.0.0.2")) else {
            Issue.record("Another address was refused.")
            return
        }
        await sender.close()
        #expect(await first == .closed)
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "http://user@127.0.0.1/", "nonsense://x", "http://"])
    func `only http and https URLs without user information are tried`(url: String) async throws {
        let sender = try self.makeSender()
        guard case .failed = await sender.post(OutgoingRequest(url: url, headers: [], body: [])) else {
            Issue.record("\(url) was tried.")
            return
        }
        await sender.close()
    }

    @Test func `a request under way is abandoned by a sender that closes`() async throws {
        let receiver = try Receiver(answers: [""])
        let sender = try self.makeSender()
        let request = OutgoingRequest(url: "http://127.0.0.1:\(receiver.port)/", headers: [], body: [1])
        async let outcome = sender.post(request)
        _ = await receiver.request()
        await sender.close()
        #expect(await outcome == .closed)
    }
}

/// Takes one request for each answer, on a thread of its own; its connections stay open unless it closes them.
private final class Receiver: Sendable {
    let port: UInt16
    private let listener: CInt
    private let requests: AsyncStream<String>

    init(answers: [String], closes: Bool = false) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) + listen(listener, 8) + getsockname(listener, pointer, &length)
            }
        }
        try #require(result == 0)
        self.listener = listener
        self.port = UInt16(bigEndian: address.sin_port)
        let (requests, continuation) = AsyncStream.makeStream(of: String.self)
        self.requests = requests
        guard !answers.isEmpty else { return }
        Thread.detachNewThread {
            for answer in answers {
                let connection = accept(listener, nil, nil)
                continuation.yield(Self.read(connection))
                let bytes = Array(answer.utf8)
                _ = send(connection, bytes, bytes.count, CInt(MSG_NOSIGNAL))
                if closes { close(connection) }
            }
        }
    }

    deinit { close(self.listener) }

    /// Whether a connection waits to be accepted.
    var wasAsked: Bool {
        var entry = pollfd(fd: self.listener, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    func request() async -> String {
        for await request in self.requests { return request }
        return ""
    }

    /// Reads a request with the body length that it states.
    private static func read(_ connection: CInt) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let head = text.range(of: "\r\n\r\n"), let length = text.range(of: "Content-Length: ") {
                let expected = Int(text[length.upperBound...].prefix { $0.isNumber }) ?? 0
                if text[head.upperBound...].utf8.count >= expected { return text }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return text }
            bytes += buffer[..<count]
        }
    }
}
