import Testing
import ToastHub

@testable import ToastCluster
@testable import ToastCore

@Suite struct RequestMessageTests {
    private func again(_ message: RequestMessage) throws -> RequestMessage {
        guard case .request(let again) = try ClusterMessage.decode(message.encoded()) else {
            throw MessageError.malformed("no request")
        }
        return again
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func everyRequestArrivesAsItWas(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        for _ in 0..<20 {
            let message = RequestMessage(channel: try generator.channel(), request: try generator.request())
            #expect(try exact(self.again(message)) == exact(message))
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func everyDraftArrivesAsItWas(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        for _ in 0..<50 {
            let draft = try generator.draft()
            var writer = JSONWriter()
            draft.writeRecord(to: &writer)
            let again = try ToastDraft(record: JSON(parsing: writer.bytes))
            #expect(again == draft)
            #expect(exact(again) == exact(draft))
        }
    }

    @Test func draftsAreGeneratedAndWrittenWithAllMembers() throws {
        var generator = Generator(seed: 1)
        var names: Set<String> = []
        for _ in 0..<300 {
            var writer = JSONWriter()
            try generator.draft().writeRecord(to: &writer)
            names.formUnion(try #require(JSON(parsing: writer.bytes).object).map(\.key))
        }
        #expect(names == Set(ToastMember.all.map(\.name) + ["whenPresent"]))
    }

    @Test func aTextThatNobodyHasRenderedIsRenderedByTheOwner() throws {
        let text: JSON = ["key": "saved", "default": "Saved"]
        let json: JSON = ["message": text, "actions": [["id": "undo", "title": text]]]
        let message = RequestMessage(
            channel: try #require(ChannelName(rawValue: "ops")),
            request: .publish(PublishRequest([try ToastDraft(json: json)]))
        )
        guard case .publish(let publish) = try self.again(message).request else {
            Issue.record("This is another message.")
            return
        }
        let draft = try #require(publish.drafts.first)
        for case .localized(_, _, _, let rendering)? in [draft.message, draft.details.actions.first?.title] {
            #expect(rendering == nil)
        }
    }

    @Test func aRequestOfAnotherNumberOfIdsIsRefused() throws {
        var generator = Generator(seed: 1)
        let request = PublishRequest([try generator.draft()], ids: [generator.id(), generator.id()])
        let message = RequestMessage(channel: try generator.channel(), request: .publish(request))
        #expect(throws: MessageError.member("ids")) { try self.again(message) }
    }

    @Test func aPlainRequestIsShort() throws {
        let draft = try ToastDraft(json: ["message": "Saved"])
        let id = try #require(ToastID("018f0000-0000-7000-8000-000000000001"))
        let message = RequestMessage(
            channel: try #require(ChannelName(rawValue: "ops")),
            request: .publish(PublishRequest([draft], ids: [id]))
        )
        let head =
            #"{"channel":"ops","request":"publish","drafts":[{"message":"Saved"}],"#
            + #""ids":["018f0000-0000-7000-8000-000000000001"]}"#
        #expect(message.encoded() == [1, 1, 0, 0, 0, UInt8(head.utf8.count)] + Array(head.utf8))
    }

    /// The longest batch that limits can allow, with the numbers that grow most: its request is still one message.
    @Test func theLongestRequestIsOneMessage() throws {
        let numbers = [JSON](repeating: JSON(number: 9e15), count: 262_144 / 5 / Limits.standard.batch)
        let draft = try ToastDraft(json: ["message": "a", "data": .array(numbers)])
        let message = RequestMessage(
            channel: try #require(ChannelName(rawValue: "ops")),
            request: .publish(PublishRequest(Array(repeating: draft, count: Limits.standard.batch)))
        )
        let bytes = message.encoded()
        #expect(bytes.count > 800_000)
        #expect(bytes.count <= MessageLimit.standard.bytes)
    }
}
