import Testing
import ToastCore
import ToastHub

@testable import ToastCluster

@Suite struct MessagePartsTests {
    private static func bytes(_ kind: UInt8, _ head: String, version: UInt8 = 1, runs: [[UInt8]] = []) -> [UInt8] {
        let parts = [Array(head.utf8)] + runs
        return [version, kind] + parts.flatMap { [0, 0, UInt8($0.count / 256), UInt8($0.count % 256)] + $0 }
    }

    @Test func anotherVersionIsNamed() {
        let bytes = Self.bytes(8, "{}", version: 2)
        #expect(throws: MessageError.unknownVersion(2)) { try ClusterMessage.decode(bytes) }
    }

    @Test func membersOfLaterVersionsAreIgnored() throws {
        let bytes = Self.bytes(2, #"{"reply":"lives","lives":true,"since":{"node":[1]}}"#)
        guard case .reply(.answer(.lives(true))) = try ClusterMessage.decode(bytes) else {
            Issue.record("This is another message.")
            return
        }
    }

    @Test(
        arguments: [
            [], [1], [1, 8], [1, 8, 0, 0, 0], [1, 8, 0, 0, 0, 9], [1, 8, 255, 255, 255, 255], [1, 0, 0, 0, 0, 0],
            [1, 8, 0, 0, 0, 0], [1, 255, 0, 0, 0, 2, 123, 125],
        ] as [[UInt8]]
    )
    func bytesThatAreNoMessageAreRefused(bytes: [UInt8]) {
        #expect(Self.isMalformed(bytes))
    }

    private static let id = "018f0000-0000-7000-8000-000000000001"
    private static let node = String(repeating: "a", count: 26)
    private static let invalid: [(UInt8, String)] = [
        (1, "{}"), (1, "[]"), (1, "{"), (1, #"{"channel":"ops","request":"explode"}"#),
        (1, #"{"channel":"ops","request":"attend"}"#), (1, #"{"channel":"a b","request":"delete"}"#),
        (1, #"{"channel":"ops","request":"publish","drafts":[{}]}"#),
        (1, #"{"channel":"ops","request":"publish","drafts":[],"key":{"owner":"a","text":"b"}}"#),
        (1, #"{"channel":"ops","request":"hold","id":"\#(id)","holder":"a","lease":1.5}"#),
        (1, #"{"channel":"ops","request":"switchOff","url":"ftp://example.com"}"#),
        (1, #"{"channel":"ops","request":"act","id":"x","action":"a"}"#),
        (2, #"{"reply":"published","isNew":true,"toasts":[{"id":1}]}"#), (2, #"{"reply":"count","count":-1}"#),
        (2, #"{"reply":"failure","error":"invalidSettings","issues":[]}"#),
        (2, #"{"reply":"failure","error":"refused"}"#),
        (2, #"{"reply":"opening","start":-1,"stored":0,"instant":0}"#),
        (2, #"{"reply":"opening","start":9007199254740993,"stored":0,"instant":0}"#),
        (2, #"{"reply":"configuration","settings":{"mode":"sideways"}}"#),
        (5, #"{"node":"a","channel":"ops"}"#),
        (5, #"{"node":"\#(node)","channel":"ops","scale":11}"#),
        (6, #"{"node":"\#(node)","channels":{}}"#),
        (8, #"{"node":"\#(node)","version":1,"instant":0}"#),
        (9, #"{"node":"\#(node)","number":1,"index":-1,"length":1}"#),
    ]

    @Test(arguments: Self.invalid)
    func invalidMembersAreRefused(kind: UInt8, head: String) {
        #expect(Self.isMalformed(Self.bytes(kind, head)))
    }

    @Test(arguments: [
        "", "{}", #"{"type":"presented"}"#,
        #"{"type":"exploded","channel":"ops","cursor":"k3f9a2zz-1","at":"2026-11-21T03:28:22.123Z"}"#,
        #"{"type":"snapshot","channel":"ops","cursor":"k3f9a2zz-1","at":"2026-11-21T03:28:22.123Z"}"#,
        #"{"type":"dismissed","channel":"ops","cursor":"k3f9a2zz-1","at":"2026-11-21T03:28:22.123Z"}"#,
        #"{"type":"held","channel":"ops","cursor":"k3f9a2zz-9223372036854775807","at":"2026-11-21T03:28:22.123Z"}"#,
        #"{"type":"held","channel":"ops","cursor":"k3f9a2zz-1","at":"2026-11-31T03:28:22.123Z"}"#,
        #"{"type":"held","channel":"ops","cursor":"k3f9a2zz-ops.1","at":"2026-11-21T03:28:22.123Z"}"#,
    ])
    func invalidEnvelopesAreRefused(envelope: String) {
        let bytes = Self.bytes(3, #"{"channel":"ops"}"#, runs: [Array(envelope.utf8)])
        #expect(throws: MessageError.malformed("An envelope is invalid.")) { try ClusterMessage.decode(bytes) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func aMessageThatIsCutOrBentNeverTraps(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let message = RequestMessage(channel: try generator.channel(), request: try generator.request())
        let bytes = message.encoded()
        for end in bytes.indices {
            // A list of runs that is cut between two of them is another valid message.
            if let cut = try? ClusterMessage.decode(Array(bytes.prefix(end))) {
                guard case .request(let cut) = cut else { throw MessageError.malformed("another kind of message") }
                #expect(cut.encoded().count == end)
            }
            var bent = bytes
            bent[end] ^= UInt8(1 << generator.number(0...7))
            _ = try? ClusterMessage.decode(bent)
        }
    }

    private static func isMalformed(_ bytes: [UInt8]) -> Bool {
        do throws(MessageError) {
            _ = try ClusterMessage.decode(bytes)
            return false
        } catch .malformed(let text) {
            return !text.isEmpty
        } catch {
            return false
        }
    }
}
