import Testing
import ToastCore
import ToastFormats

@Suite struct CloudEventTests {
    @Test func aStructuredEventWithAToast() throws {
        let events = try ReceivedCloudEvent.events(
            of: input(
                """
                {"specversion": "1.0", "id": "1", "source": "/ci", "type": "build.done",
                 "data": {"message": "Built", "role": "success", "size": 3}}
                """,
                type: "application/cloudevents+json; charset=utf-8"
            )
        )
        let toast = try events[0].toast(.standard)
        #expect(toast.message == "Built")
        #expect(toast.draft.role == .success)
        #expect(toast.dropped == ["/data/size"])
    }

    @Test func aBinaryEventHasItsAttributesInFields() throws {
        let fields = [
            "ce-specversion": "1.0", "ce-id": "1", "ce-source": "/ci", "ce-type": "build.done",
            "ce-subject": "Stra%C3%9Fe",
        ]
        let events = try ReceivedCloudEvent.events(of: input("9 min", type: "text/plain", fields: fields))
        let toast = try events[0].toast(.standard)
        #expect((toast.title, toast.message) == ("Straße", "9 min"))
        let nothing = try ReceivedCloudEvent.events(of: input(#"{"a": 1}"#, fields: fields))[0].toast(.standard)
        #expect(nothing.dropped == [""])
    }

    @Test(arguments: ["", " ", "e\(String(repeating: "%CC%81", count: 65))", "%FF"])
    func aSubjectThatIsNoTextIsLeftOut(_ subject: String) throws {
        let fields = [
            "ce-specversion": "1.0", "ce-id": "1", "ce-source": "/ci", "ce-type": "build.done", "ce-subject": subject,
        ]
        let toast = try ReceivedCloudEvent.events(of: input("{}", fields: fields))[0].toast(.standard)
        #expect(toast.title == "build.done")
    }

    @Test func aBinaryEventMayHaveAnyBytes() throws {
        let fields = ["ce-specversion": "1.0", "ce-id": "1", "ce-source": "/s", "ce-type": "t"]
        let bytes = FormatInput(contentType: "image/png", field: { fields[$0] }, body: [0xFF, 0x00])
        let toast = try #require(try ReceivedCloudEvent.events(of: bytes).first).toast(.standard)
        #expect(toast.title == "t")
        #expect(toast.warnings.count == 1)
    }

    @Test func dataOfBytesIsReadAndWhatIsMeantForOthersIsDropped() throws {
        func toast(_ members: String) throws -> MappedToast {
            let event = #"{"specversion": "1.0", "id": "1", "source": "/ci", "type": "build.done", \#(members)}"#
            let events = try ReceivedCloudEvent.events(of: input(event, type: "application/cloudevents+json"))
            return try events[0].toast(.standard)
        }
        // {"message": "Built"}
        #expect(try toast(#""data_base64": "eyJtZXNzYWdlIjogIkJ1aWx0In0=""#).message == "Built")
        #expect(throws: FormatError.self) { try toast(#""data_base64": "?""#) }
        let other = try toast(#""data": {"message": "User created", "role": "admin", "image": "/a.png"}"#)
        #expect(other.message == "User created")
        #expect(Set(other.dropped) == ["/data/role", "/data/image"])
        #expect(try toast(#""data": {"message": {"data": "eA=="}}"#).title == "build.done")
    }

    @Test func aMemberWithMoreFaultsThanAreNamedHidesNoOther() throws {
        let fields = ["ce-specversion": "1.0", "ce-id": "1", "ce-source": "/ci", "ce-type": "t"]
        let arguments = Array(repeating: "[]", count: 16).joined(separator: ", ")
        let actions = (0..<3).map { #"{"id": "\#($0)", "title": {"key": "k", "arguments": [\#(arguments)]}}"# }
        let body = #"{"message": "m", "actions": [\#(actions.joined(separator: ", "))], "link": "javascript:x"}"#
        let toast = try ReceivedCloudEvent.events(of: input(body, fields: fields))[0].toast(.standard)
        #expect(toast.message == "m")
        #expect(toast.dropped == ["/actions/0/title/arguments/0", "/link"])
    }

    @Test(arguments: [
        (#""data": {"message": "m"}, "data_base64": "eyJtZXNzYWdlIjogIkJ1aWx0In0=""#, "/data_base64"),
        (#""data": "", "data_base64": """#, "/data_base64"), (#""data_base64": 5"#, "/data_base64"),
    ])
    func dataAndItsBytesExcludeEachOther(_ members: String, _ place: String) {
        let event = #"{"specversion": "1.0", "id": "1", "source": "/ci", "type": "t", \#(members)}"#
        let error = #expect(throws: FormatError.self) {
            try ReceivedCloudEvent.events(of: input("[\(event)]", type: "application/cloudevents-batch+json"))
        }
        guard case .invalid(let pointer, _) = error else {
            Issue.record("A member of the event is invalid.")
            return
        }
        #expect(pointer == "/0" + place)
    }

    @Test(arguments: [
        (#""data": null, "data_base64": "eyJtZXNzYWdlIjogIm0iLCAieCI6IDF9""#, "/data_base64/x"),
        (#""data": {"message": "m", "x": 1}, "data_base64": null"#, "/data/x"),
    ])
    func dataThatAreNullAreNone(_ members: String, _ dropped: String) throws {
        let event = #"{"specversion": "1.0", "id": "1", "source": "/ci", "type": "t", \#(members)}"#
        let events = try ReceivedCloudEvent.events(of: input(event, type: "application/cloudevents+json"))
        let toast = try events[0].toast(.standard)
        #expect(toast.message == "m")
        #expect(toast.dropped == [dropped])
    }

    @Test func aBatch() throws {
        let event = #"{"specversion": "1.0", "id": "1", "source": "/ci", "type": "build.done"}"#
        let type = "application/cloudevents-batch+json"
        let events = try ReceivedCloudEvent.events(of: input("[\(event), \(event)]", type: type))
        #expect(try events.map { try $0.toast(.standard).title } == ["build.done", "build.done"])
        #expect(throws: FormatError.self) { try ReceivedCloudEvent.events(of: input("[]", type: type)) }
        #expect(throws: FormatError.self) { try ReceivedCloudEvent.events(of: input("[{}]", type: type)) }
    }

    @Test(arguments: [("application/cloudevents+json", ""), ("application/cloudevents-batch+json", "/0")])
    func errorsAndWarningsPointIntoTheDocument(type: String, place: String) throws {
        func toast(_ data: String) throws -> MappedToast {
            let event = #"{"specversion": "1.0", "id": "1", "source": "/ci", "type": "t", "data": \#(data)}"#
            let document = place.isEmpty ? event : "[\(event)]"
            return try ReceivedCloudEvent.events(of: input(document, type: type))[0].toast(.standard)
        }
        #expect(try toast(#"{"message": "m", "size": 3}"#).dropped == ["\(place)/data/size"])
        #expect(try toast("[1]").dropped == ["\(place)/data"])
        let error = #expect(throws: FormatError.self) {
            try toast(#"{"message": "\#(String(repeating: "x", count: 5000))"}"#)
        }
        guard case .invalidToast(let invalid) = error else {
            Issue.record("The toast has an invalid member.")
            return
        }
        #expect(invalid.issues.map(\.pointer) == ["\(place)/data/message"])
    }

    @Test func theDocumentOfABinaryEventIsItsData() throws {
        let fields = ["ce-specversion": "1.0", "ce-id": "1", "ce-source": "/ci", "ce-type": "t"]
        let body = #"{"message": "m", "size": 3}"#
        let events = try ReceivedCloudEvent.events(of: input(body, type: "application/json", fields: fields))
        #expect(try events[0].toast(.standard).dropped == ["/size"])
    }

    /// Searching each member among the previous ones would take quadratic time.
    @Test(.timeLimit(.minutes(1))) func dataMayHaveManyMembers() throws {
        let members = (0..<40_000).map { #""\#($0)": 1"# }.joined(separator: ", ")
        let fields = ["ce-specversion": "1.0", "ce-id": "1", "ce-source": "/ci", "ce-type": "t"]
        let body = #"{"message": "m", \#(members)}"#
        let events = try ReceivedCloudEvent.events(of: input(body, type: "application/json", fields: fields))
        #expect(try events[0].toast(.standard).message == "m")
    }

    @Test func sourceAndIDAreTheKey() throws {
        func key(_ id: String, _ source: String) throws -> String {
            let fields = ["ce-specversion": "1.0", "ce-id": id, "ce-source": source, "ce-type": "t"]
            return ReceivedCloudEvent.repetitionKey(
                of: try ReceivedCloudEvent.events(of: input("", type: nil, fields: fields))
            )
        }
        #expect(try key("1", "a") == key("1", "a"))
        #expect(try key("1", "a") != key("1", "b"))
    }
}
