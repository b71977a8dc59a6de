import Testing
import ToastCore
import ToastFormats

private let now = Instant(nanoseconds: 1_800_000_000_000_000_000)

@Suite struct NtfyTests {
    private func message(_ body: String, _ fields: [String: String] = [:]) throws -> NtfyMessage {
        try NtfyMessage(input(body, type: nil, fields: fields), isDocument: false, at: now)
    }

    private func document(_ body: String, _ fields: [String: String] = [:]) throws -> NtfyMessage {
        try NtfyMessage(input(body, fields: fields), isDocument: true, at: now)
    }

    @Test func headersAndTheirShortForms() throws {
        let long = try self.message("Backup", ["title": "Night", "priority": "urgent", "tags": "skull,disk"])
        let short = try self.message("Backup", ["t": "Night", "p": "5", "ta": "skull,disk"])
        let alias = try self.message("Backup", ["x-title": "Night", "x-priority": "max", "x-tags": "skull, disk"])
        for message in [long, short, alias] {
            #expect(message.toast.title == "💀 Night")
            #expect(message.toast.message == "Backup\ndisk")
            #expect(message.toast.draft.role == .error)
            #expect(message.toast.draft.duration == .indefinite)
            #expect(message.echo["priority"] == 5)
            #expect(message.echo["title"] == "Night")
            #expect(message.echo["tags"] == ["skull", "disk"])
        }
    }

    @Test(arguments: [
        ("rotating_light", "3", Role.error), ("red_circle", "1", .error), ("x", "", .error), ("warning", "5", .warning),
        ("white_check_mark", "5", .success), ("green_circle", "", .success), ("tada", "", .success),
        ("fire", "4", .warning),
        ("", "3", .info), ("", "5", .error), ("", "u=1", .info),
    ])
    func tagsFirstDecideTheRole(_ tag: String, _ priority: String, _ role: Role) throws {
        #expect(try self.message("m", ["tags": tag, "priority": priority]).toast.draft.role == role)
    }

    @Test(arguments: ["u=1", "u=3, i", "i"])
    func thePriorityOfHTTPDoesNotHideTheSenders(_ field: String) throws {
        let short = try self.message("m", ["priority": field, "p": "5"])
        #expect(short.toast.draft.role == .error)
    }

    @Test func aLowPriorityIsShortAndStill() throws {
        let draft = try self.message("m", ["priority": "low"]).toast.draft
        #expect(draft.duration == ToastDuration.short)
        #expect(draft.haptic == Haptic.none)
    }

    @Test func linksActionsAndAttachments() throws {
        let message = try self.message(
            "m",
            [
                "click": "https://a.example/c", "icon": "https://a.example/i.png",
                "attach": "https://a.example/p.jpg?x=1",
                "actions":
                    "view, 'Open, now', https://a.example/o, clear=true; http, Close, https://a.example/x, method=PUT",
            ]
        )
        #expect(message.toast.link == "https://a.example/c")
        #expect(message.toast.draft.details.icon == "https://a.example/i.png")
        #expect(message.toast.image == "https://a.example/p.jpg?x=1")
        #expect(message.toast.actions == ["Open, now https://a.example/o"])
        #expect(message.toast.dropped == ["/actions/1"])
        #expect(message.echo["actions"]?.array?.count == 2)
    }

    @Test func theNameOfWhatIsAttachedIsAsItsURLHasIt() throws {
        let message = try self.message("m", ["attach": "https://a.example/My%20Photo.JPG?x=1"])
        #expect(message.echo["attachment"]?["name"] == "My Photo.JPG")
        #expect(message.toast.warnings.isEmpty)
        let path = try self.message("m", ["attach": "https://a.example/..%2F..%2Fb.png"])
        #expect(path.echo["attachment"]?["name"] == "b.png")
    }

    @Test func aDocumentMayHaveNullsAndBeCompletedByFields() throws {
        let message = try self.document(
            """
            {"topic": "ops", "title": null, "message": "a\\nb", "tags": [], "actions": [], "click": null, "icon": null,
             "priority": 4, "sequence_id": "s1"}
            """,
            ["x-tags": "tada"]
        )
        #expect(message.topic == "ops")
        #expect(message.toast.message == "a\nb")
        #expect(message.toast.draft.role == .warning)
        #expect(message.toast.draft.reuseIdentifier == "s1")
        #expect(message.toast.draft.replacesPresent)
    }

    @Test func longSequencesThatDifferStayDifferent() throws {
        let long = String(repeating: "s", count: 256)
        let (first, second) = (long + "1", long + "2")
        let messages = try [first, second].map { try self.message("m", ["x-sequence-id": $0]) }
        #expect(messages.map(\.toast.draft.reuseIdentifier) == [first.sha256, second.sha256])
        #expect(messages.map { $0.echo["sequence_id"]?.string } == [first, second])
    }

    @Test func anEmptyMessageIsTriggeredAndALongOneIsCut() throws {
        #expect(try self.message("").toast.message == "triggered")
        let long = try self.message(String(repeating: "ä", count: 3000)).toast
        #expect(long.message?.utf8.count ?? 0 <= 4096)
        #expect(long.message?.hasSuffix("ä…") == true)
        #expect(long.dropped == ["/message"])
        #expect(try self.message("", ["m": "a\\nb"]).toast.message == "a\nb")
        #expect(try self.message("m", ["title": "=?UTF-8?B?w6Q=?= =?utf-8?q?=C3=B6_x?="]).toast.title == "äö x")
    }

    @Test(arguments: [("30m", 1800), ("2h", 7200), ("1 day", 86_400), ("1800000600", 600)])
    func aDelay(_ text: String, _ seconds: Int64) throws {
        let message = try self.message("m", ["delay": text])
        #expect(message.toast.draft.details.notBefore == now + Interval(nanoseconds: seconds * 1_000_000_000))
    }

    @Test(arguments: ["tomorrow, 10am", "5s", "4d", "1", "99999999999999999999h"]) func noDelay(_ text: String) {
        #expect(throws: NtfyMessage.Refusal.delay) { try self.message("m", ["delay": text]) }
    }

    @Test func whatIsWrongHasACode() {
        #expect(throws: NtfyMessage.Refusal.priority) { try self.message("m", ["priority": "6"]) }
        #expect(throws: NtfyMessage.Refusal.json) { try self.document("x") }
        #expect(throws: NtfyMessage.Refusal.topic) { try self.document(#"{"message": "m"}"#) }
        let body = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n"
        let form = input(body, type: "multipart/form-data; boundary=b")
        #expect(throws: NtfyMessage.Refusal.attachment) { try NtfyMessage(form, isDocument: false, at: now) }
        #expect(throws: NtfyMessage.Refusal.self) { try self.message("m", ["actions": "dance, x"]) }
        #expect(throws: NtfyMessage.Refusal.self) { try self.message("m", ["actions": "view, 'x, https://a.example"]) }
    }

    @Test func markdownMailAndCallsAreDroppedWithAWarning() throws {
        let fields = ["markdown": "yes", "email": "a@b.example", "call": "+1"]
        #expect(try Set(self.message("m", fields).toast.dropped) == ["/markdown", "/email", "/call"])
    }
}

@Suite struct GotifyTests {
    @Test(arguments: [
        (0, Role.info, Haptic.none as Haptic?), (3, .info, Haptic.none), (4, .info, nil), (7, .info, nil),
        (8, .error, nil), (10, .error, nil),
    ])
    func thePriorityIsTheRole(_ priority: Int, _ role: Role, _ haptic: Haptic?) throws {
        let message = try GotifyMessage(input(#"{"message": "m", "title": "t", "priority": \#(priority)}"#))
        #expect(message.toast.draft.role == role)
        #expect(message.toast.draft.haptic == haptic)
        #expect(message.toast.title == "t")
    }

    @Test func extrasAreLinkAndImage() throws {
        let message = try GotifyMessage(
            input(
                """
                {"message": "m", "extras": {"client::display": {"contentType": "text/markdown"}, "a::b": {},
                 "client::notification": {"click": {"url": "https://a.example"}, "bigImageUrl": "https://a.example/i"}}}
                """
            )
        )
        #expect(message.toast.link == "https://a.example")
        #expect(message.toast.image == "https://a.example/i")
        #expect(Set(message.toast.dropped) == ["/extras/client::display/contentType", "/extras/a::b"])
    }

    @Test func formsOfBothKinds() throws {
        let form = try GotifyMessage(input("title=T&message=M&priority=9", type: "application/x-www-form-urlencoded"))
        #expect(form.toast.draft.role == .error)
        let part = { (name: String, value: String) in
            "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let body = part("title", "T") + part("message", "M\r\nN") + part("priority", "5") + "--x--\r\n"
        let multipart = try GotifyMessage(input(body, type: "multipart/form-data; boundary=x"))
        #expect((multipart.toast.title, multipart.toast.message) == ("T", "M\r\nN"))
        #expect(throws: FormatError.self) {
            try GotifyMessage(input(part("message", "M"), type: "multipart/form-data; boundary=x"))
        }
        #expect(throws: FormatError.self) { try GotifyMessage(input("{}")) }
    }

    @Test(arguments: [
        (#"a;b"#, "a;b"), (#"a\";b"#, #"a";b"#), (#"a\\"#, #"a\"#), (#"a\\\";b"#, #"a\";b"#), (#"a\b"#, #"a\b"#),
    ])
    func theNameOfAFieldIsAQuotedText(_ written: String, _ name: String) throws {
        let head = #"Content-Disposition: form-data; filename*=x; name="\#(written)"; x=";""#
        let body = "--b\r\n\(head)\r\n\r\nv\r\n--b--"
        let fields = try FormField.multipart(Array(body.utf8), "multipart/form-data; boundary=b")
        #expect(fields.map(\.name) == [name])
        #expect(fields.map(\.value) == ["v"])
    }

    @Test func partsOfAFormAreLimited() throws {
        func message(_ parts: [String], _ head: String = "") throws -> String? {
            let message = "Content-Disposition: form-data; name=\"message\"\(head)\r\n\r\nM\r\n"
            let body = (parts + [message]).map { "--x\r\n" + $0 }.joined() + "--x--"
            return try GotifyMessage(input(body, type: "multipart/form-data; boundary=x")).toast.message
        }
        // A part without a name, and without content.
        let empty = "A: b\r\n\r\n\r\n"
        #expect(try message(Array(repeating: empty, count: 255)) == "M")
        #expect(throws: FormatError.self) { try message(Array(repeating: empty, count: 256)) }
        #expect(try message([], "\r\nA: " + String(repeating: "b", count: 8000)) == "M")
        #expect(throws: FormatError.self) { try message([], "\r\nA: " + String(repeating: "b", count: 8192)) }
        // Content that looks like the boundary, and like its beginning.
        let almost = "A: b\r\n\r\n\r\n-x\r\r\n--y\r\n"
        #expect(try message([almost]) == "M")
    }
}

@Suite struct MercureTests {
    private static let form = "application/x-www-form-urlencoded"

    @Test func theLastSegmentIsTheChannel() throws {
        let update = try MercureUpdate(
            input(
                "topic=https%3A%2F%2Fexample.com%2Fbooks%2Fops&data=%7B%22message%22%3A%22m%22%2C%22role%22%3A%22error%22%7D",
                type: Self.form
            )
        )
        #expect(update.channel.rawValue == "ops")
        #expect(update.toast.draft.role == .error)
        let text = try MercureUpdate(input("topic=ops&data=Hello+you&id=urn:uuid:1&private=on", type: Self.form))
        #expect((text.toast.message, text.id) == ("Hello you", "urn:uuid:1"))
        #expect(text.toast.dropped == ["/private"])
    }

    @Test(arguments: ["data=x", "topic=&data=x", "topic=a%20b&data=x", "topic=ops", "topic=ops&data=x&id=%23a"])
    func whatIsNoUpdateIsRefused(_ body: String) {
        #expect(throws: FormatError.self) { try MercureUpdate(input(body, type: Self.form)) }
    }
}
