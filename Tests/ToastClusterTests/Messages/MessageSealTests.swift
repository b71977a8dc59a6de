import Testing
import ToastHub

@testable import ToastCluster
@testable import ToastCore

@Suite struct MessageSealTests {
    private func webhooks(_ generator: inout Generator) throws -> [Webhook] {
        var webhooks: [Webhook] = []
        while webhooks.isEmpty { webhooks = try generator.configuration().webhooks }
        return webhooks
    }

    private func reply(_ generator: inout Generator) throws -> (ChannelReply, [Webhook]) {
        let webhooks = try self.webhooks(&generator)
        let configuration = Configuration(settings: try generator.settings(), webhooks: webhooks, fresh: [])
        return (.answer(.configuration(configuration)), webhooks)
    }

    private func change(_ webhooks: WebhookList?) -> SettingsChange {
        SettingsChange(
            .merge(["maxVisible": 3]),
            webhooks: webhooks,
            issues: [],
            if: Precondition(ifMatch: nil, ifNoneMatch: [])
        )
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func secretsInAnswersAreSealed(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let (reply, webhooks) = try self.reply(&generator)
        let bytes = try reply.encoded(.make())
        let text = String(decoding: bytes, as: UTF8.self)
        for webhook in webhooks {
            #expect(String(decoding: reply.encoded(), as: UTF8.self).contains(webhook.secret.revealed))
            #expect(!text.contains(webhook.secret.revealed))
        }
        guard case .reply(let again) = try ClusterMessage.decode(bytes, .make()) else {
            Issue.record("This is another message.")
            return
        }
        #expect(exact(again) == exact(reply))
    }

    @Test func secretsInRequestsAreSealed() throws {
        let secret = "whsec_" + String(repeating: "A", count: 40)
        let json: JSON = [["url": "https://example.org/hook", "secret": .string(secret)]]
        let change = self.change(try WebhookList(json: json))
        let channel = try #require(ChannelName(rawValue: "ops"))
        let message = RequestMessage(channel: channel, request: .configure(change))
        #expect(String(decoding: message.encoded(), as: UTF8.self).contains(secret))
        let bytes = try OwnerMessage.request(message).encoded(.make())
        #expect(!String(decoding: bytes, as: UTF8.self).contains(secret))
        guard case .request(let again) = try ClusterMessage.decode(bytes, .make()) else {
            Issue.record("This is another message.")
            return
        }
        #expect(again.encoded() == message.encoded())
    }

    @Test func messagesWithoutSecretsAreNotSealed() throws {
        let reply = ChannelReply.answer(.done)
        #expect(try reply.encoded(.make()) == reply.encoded())
        let channel = try #require(ChannelName(rawValue: "ops"))
        let requests: [ChannelRequest] = [.delete, .configure(self.change(nil))]
        for request in requests {
            let message = RequestMessage(channel: channel, request: request)
            #expect(try OwnerMessage.request(message).encoded(.make()) == message.encoded())
        }
    }

    @Test func aSealedMessageIsReadByTheNodesOfItsClusterOnly() throws {
        var generator = Generator(seed: 1)
        let bytes = try self.reply(&generator).0.encoded(.make())
        #expect(throws: MessageError.self) { try ClusterMessage.decode(bytes) }
        #expect(throws: MessageError.self) { try ClusterMessage.decode(bytes, .make(2)) }
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(throws: MessageError.self) { try ClusterMessage.decode(changed, .make()) }
        }
    }

    @Test func noMessageIsSealedTwice() throws {
        var generator = Generator(seed: 1)
        let seal = try MessageSeal.make()
        let bytes = seal.seal(try self.reply(&generator).0.encoded(seal))
        #expect(throws: MessageError.self) { try ClusterMessage.decode(bytes, seal) }
    }
}
