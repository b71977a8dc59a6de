import Foundation
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

    private static func part(from start: String, to end: String) throws -> Substring {
        let text = try String(contentsOf: TestServer.root.appending(path: "openapi.yaml"), encoding: .utf8)
        let first = try #require(text.range(of: start))
        let last = try #require(text.range(of: end, range: first.upperBound..<text.endIndex))
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
