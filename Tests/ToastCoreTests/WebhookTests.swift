import TestSupport
import Testing

@testable import ToastCore

@Suite struct WebhookTests {
    private var random = SplitMix64(seed: 1)

    // MARK: Base64

    // RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `Base64 is that of RFC 4648`(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "=Zg=", "Zh==", "Zm9=", "Zm9v====", "Zm-v", "Zm 9v", "Zg==Zg=="])
    func `other Base64 is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test mutating func `all bytes survive Base64`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self.random) }
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    // MARK: URLs and secrets

    @Test(arguments: [
        ("https://example.org", "https://example.org", "example.org"),
        ("http://Example.org:8080/a?b=c", "http://example.org:8080", "example.org"),
        ("https://[::1]:8443/", "https://[::1]:8443", "[::1]"), ("http://[fe80::1]", "http://[fe80::1]", "[fe80::1]"),
        ("http://127.0.0.1?x", "http://127.0.0.1", "127.0.0.1"), ("https://a.org./", "https://a.org.", "a.org."),
        ("https://a_b-c.d/%20!", "https://a_b-c.d", "a_b-c.d"),
    ])
    func `a URL has an origin and a host`(text: String, origin: String, host: String) throws {
        let url = try #require(WebhookURL(rawValue: text))
        #expect(url.hasValidHost)
        #expect(url.origin == origin)
        #expect(url.host == host)
    }

    @Test(arguments: [
        "", "https://", "HTTPS://a/", "ftp://a/", "//a/", "a", "https://a@b/", "https://a:b@c/", "https://a/#",
        "https://a:", "https://a:0", "https://a:65536", "https://a:1:2", "https://[::1", "https://[]/", "https://::1/",
        "https://a b/", "https://a\\b", "https://a/\u{7F}", "https://ä/", "https://%61/", "https://a/\n",
        "https://a/\"",
    ])
    func `a URL that cannot be posted to is refused`(text: String) {
        #expect(WebhookURL(rawValue: text) == nil)
    }

    @Test(arguments: [
        "https://[:]/", "https://[1.2.3.4]/", "https://[1::2::3]/", "https://.../", "https://a..b/", "https://.a/",
    ])
    func `a host that cannot be one is refused in a list, and read from the store`(text: String) throws {
        #expect(WebhookURL(rawValue: text) != nil)
        #expect(throws: ValidationError.self) { try WebhookList(json: [["url": .string(text)]]) }
    }

    @Test func `a secret has 24 to 64 bytes and does not print itself`() throws {
        for count in [0, 23, 65] { #expect(WebhookSecret(bytes: Array(repeating: 1, count: count)) == nil) }
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        #expect(secret.bytes.count == 24)
        #expect(secret.revealed == "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect(WebhookSecret(String(secret.revealed.dropFirst(6))) == nil)
        let webhook = Webhook(url: try #require(WebhookURL(rawValue: "https://a/")), events: [.acted], secret: secret)
        for text in ["\(secret)", "\(webhook)", String(reflecting: webhook)] { #expect(!text.contains("MfKQ9r8")) }
        let text = String(decoding: webhook.json, as: UTF8.self)
        #expect(text == #"{"id":"6c87771d40b3b226","url":"https://a/","events":["acted"],"enabled":true}"#)
    }

    // MARK: The setting

    @Test func `a secret that is left out stays with its URL, or is drawn`() throws {
        let json: JSON = [
            ["url": "https://a/"], ["url": "https://b/", "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
        ]
        let list = try WebhookList(json: json)
        let (first, fresh) = list.webhooks(replacing: [])
        #expect(fresh.map(\.rawValue) == ["https://a/"])
        #expect(first.map(\.events) == [Webhook.standardEvents, Webhook.standardEvents])
        #expect(first[0].secret.bytes.count == 32)
        let (second, none) = try WebhookList(json: json).webhooks(replacing: first.reversed())
        #expect(second == first)
        #expect(none.isEmpty)
        // If the node repeats the request because the answer was lost, it may still show the secret.
        let record = JSONWriter.encodedObject { writer in
            writer.name("list")
            list.writeRecord(to: &writer)
        }
        let sent = try WebhookList(record: #require(JSON(stored: record)["list"]))
        let (third, shown) = sent.webhooks(replacing: first)
        #expect(third == first)
        #expect(shown == fresh)
    }

    @Test func `a webhook belongs to the principal that set it first`() throws {
        let json: JSON = [["url": "https://a/"], ["url": "https://b/"]]
        let (first, _) = try WebhookList(json: [["url": "https://a/"]], owner: "alice")
            .webhooks(replacing: [])
        let (second, _) = try WebhookList(json: json, owner: "bob").webhooks(replacing: first)
        #expect(second.map(\.owner) == ["alice", "bob"])
        // A webhook stored without an owner belongs to the next principal who sets it.
        let nobodys = Webhook(url: first[0].url, events: first[0].events, secret: first[0].secret)
        let (third, _) = try WebhookList(json: json, owner: "eve").webhooks(replacing: [nobodys])
        #expect(third.map(\.owner) == ["eve", "eve"])
    }

    @Test func `every fault of a webhook has its pointer`() {
        let json: JSON = [["url": "x", "events": ["acted", "resumed"], "secret": "y", "enabled": 1, "a/b": 2], 7]
        let error = #expect(throws: ValidationError.self) { try WebhookList(json: json) }
        let expected = ["a~1b", "url", "events/1", "secret", "enabled"].map { "/webhooks/0/" + $0 } + ["/webhooks/1"]
        #expect(error?.issues.map(\.pointer) == expected)
    }

    // MARK: CloudEvents

    @Test func `an event becomes a CloudEvent`() throws {
        let channel = try #require(ChannelName(rawValue: "ops"))
        let epoch = try #require(Epoch(rawValue: "k3v9q0ax"))
        let id = try #require(ToastID("0199f4a2-7c1e-7b3a-9d54-2f6c1a8e0b11"))
        let event = Event(
            offset: Offset(rawValue: 7),
            at: Instant(nanoseconds: 1_767_225_600_123_000_000),
            kind: .acted(id, action: "undo", data: nil)
        )
        let envelope = event.stored(channel: channel, epoch: epoch).envelope
        let message = CloudEvent(event, envelope: envelope, channel: channel, epoch: epoch)
        #expect(message.id == "ops/k3v9q0ax-7")
        let expected: JSON = [
            "specversion": "1.0", "id": "ops/k3v9q0ax-7", "source": "/v1/channels/ops", "type": "toastd.acted",
            "subject": .string(id.description), "time": "2026-01-01T00:00:00.123Z",
            "datacontenttype": "application/json", "data": try JSON(parsing: envelope),
        ]
        #expect(try JSON(parsing: message.bytes) == expected)
    }

    @Test func `an event of the channel as a whole has no subject`() throws {
        let channel = try #require(ChannelName(rawValue: "ops"))
        let epoch = try #require(Epoch(rawValue: "k3v9q0ax"))
        let event = Event(offset: .origin.next, at: Instant(nanoseconds: 0), kind: .configured(Settings()))
        let envelope = event.stored(channel: channel, epoch: epoch).envelope
        let message = CloudEvent(event, envelope: envelope, channel: channel, epoch: epoch)
        #expect(try JSON(parsing: message.bytes)["subject"] == nil)
    }
}

extension Webhook {
    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        self.write(to: &writer)
        return writer.bytes
    }
}
