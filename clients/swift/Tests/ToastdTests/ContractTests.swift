import Foundation
import RegexBuilder
import Testing

@testable import Toastd

/// What the client sends and reads, beside what `openapi.yaml` says.
@Suite(.timeLimit(.minutes(1))) struct ContractTests {
    @Test func aDraftHasTheMembersOfTheContract() throws {
        let described = try Self.part(from: "\n    ToastMembers:\n", to: "\n    ToastDraft:\n")
            .split(separator: "\n").compactMap { $0.wholeMatch(of: #/ {8}(\w+):.*/#)?.1 }.map(String.init)
        #expect(described.count > 15)
        #expect(Mirror(reflecting: ToastDraft()).children.compactMap(\.label).sorted() == described.sorted())
    }

    @Test func aStreamHasTheOptionsOfTheContract() async throws {
        let parameters = try Self.part(from: "operationId: streamChannel\n", to: "      responses:")
            .matches(of: #/components\/parameters\/(\w+)/#).map(\.1)
        let described = try parameters.compactMap { parameter in
            let text = try Self.part(from: "\n    \(parameter):\n", to: "description:")
            return text.contains("in: query") ? text.firstMatch(of: #/name: (\w+)/#)?.1 : nil
        }
        #expect(described.count > 4)
        let options = StreamOptions(
            since: "a-1",
            events: ["acted"],
            isAudience: false,
            isAssistive: true,
            scale: 1.5,
            language: "de"
        )
        let sent = try await Self.query { for try await _ in $0.events(options) {} }
        #expect(sent.map(\.name).sorted() == described.map(String.init).sorted())
        #expect(sent.first { $0.name == "scale" }?.value == "1.5")
    }

    @Test func theStateOfAChannelIsReadFromAWholeStream() async throws {
        let sent = try await Self.query { channel in
            let state = await ChannelState(channel, isAudience: false, isAssistive: true, scale: 2, language: "de")
            try await state.run()
        }
        #expect(
            sent.map { "\($0.name)=\($0.value ?? "")" } == ["assistive=1", "audience=0", "language=de", "scale=2.0"]
        )
    }

    @Test func anAnswerHasTheMembersOfTheContract() throws {
        let batch = try Self.members(of: ToastBatch.self, in: #"{"toasts":[]}"#)
        #expect(try batch == Self.schema("ToastBatch").matches(of: #/\n {8}(\w+):/#).map(\.1).sorted())
        let updated = try Self.members(of: UpdatedToasts.self, in: #"{"updatedCount":1,"toasts":[]}"#)
        #expect(try updated == Self.schema("UpdatedToasts").matches(of: #/\n {8}(\w+):/#).map(\.1).sorted())
        let summary = #"{"channelCount":1,"acceptedCount":1,"refusedCount":0}"#
        let results = try Self.schema("PublicationResults")
        #expect(
            try Self.members(of: PublicationResults.self, in: #"{"summary":\#(summary),"results":[]}"#)
                == results.matches(of: #/\n {8}(\w+):/#).map(\.1).sorted()
        )
        #expect(
            try Self.members(of: PublicationResults.Summary.self, in: summary)
                == results.matches(of: #/\n {12}(\w+): { type: integer/#).map(\.1).sorted()
        )
        #expect(
            try Self.members(of: PublicationResults.ChannelResult.self, in: #"{"channel":"ops","status":429}"#)
                == results.matches(of: #/\n {14}(\w+):/#).map(\.1).sorted()
        )
    }

    @Test func aChannelIsClearedByTheCriteriaOfTheContract() async throws {
        let described = try Self.part(from: "operationId: clearChannel\n", to: "      responses:")
            .matches(of: #/- name: (\w+)/#).map { String($0.1) }
        let sent = try await Self.query { channel in
            try await channel.clear(.title("a"), .message("b&c"), .placement("top"), .reuseIdentifier("d"))
        }
        #expect(sent.map(\.name) == described.sorted())
        #expect(sent.map(\.value) == ["b&c", "top", "d", "a"])
    }

    @Test(arguments: [
        (ToastTitle.text("Release"), #"{"title":"Release"}"#),
        (.text(.localized(key: "release")), #"{"title":{"key":"release"}}"#),
        (.automatic, #"{"title":{"automatic":true}}"#),
        (.noTitle, #"{"title":null}"#),
        (nil, "{}"),
    ]) func aTitleIsWrittenAsTheContractSays(title: ToastTitle?, text: String) throws {
        let document = try JSONEncoder().encode(ToastDraft(title: title))
        #expect(String(decoding: document, as: UTF8.self) == text)
        // Without a title, that of a toast is the role's own.
        let toast = ScriptedServer.toast().dropLast() + (title == nil ? "}" : "," + text.dropFirst())
        #expect(try JSONDecoder().decode(Toast.self, from: Data(toast.utf8)).title == title ?? .automatic)
    }

    @Test func anEventOfNewSettingsHasAllOfThem() {
        let text = #"{"type":"configured","at":"","effective":{"a":1},"own":{"b":2},"defaults":{"c":3}}"#
        var reader = EventReader()
        let events = reader.feed(Data("data: \(text)\n\n".utf8))
        #expect(events.map(\.kind) == [.configured(effective: ["a": 1], own: ["b": 2], defaults: ["c": 3])])
    }

    /// The names of the members that the client reads, in their order.
    private static func members<Answer: Decodable>(of type: Answer.Type, in document: String) throws -> [Substring] {
        let answer = try JSONDecoder().decode(type, from: Data(document.utf8))
        return Mirror(reflecting: answer).children.compactMap { $0.label.map { $0[...] } }.sorted()
    }

    /// The description of a schema, up to the next one.
    private static func schema(_ name: String) throws -> Substring {
        try Self.part(from: "\n    \(name):\n", to: #/\n {4}\w/#)
    }

    private static func part(from start: String, to end: some RegexComponent) throws -> Substring {
        let text = try String(contentsOf: TestServer.root.appending(path: "openapi.yaml"), encoding: .utf8)
        let first = try #require(text.range(of: start))
        let last = try #require(text[first.upperBound...].firstRange(of: end))
        return text[first.upperBound..<last.lowerBound]
    }

    /// The query of a request, which is then refused; in the order of its names.
    private static func query(
        _ request: (ToastChannel) async throws -> Void
    ) async throws -> [URLQueryItem] {
        let server = try ScriptedServer([ScriptedServer.problem("400 Bad Request", "invalid-parameter")])
        let channel = ToastServer(server.url).channel("ops")
        _ = try await problem(of: { try await request(channel) })
        let target = try #require(server.requests.first?.split(separator: " ").dropFirst().first)
        let items = try #require(URLComponents(string: String(target))?.queryItems)
        return items.sorted { $0.name < $1.name }
    }
}
