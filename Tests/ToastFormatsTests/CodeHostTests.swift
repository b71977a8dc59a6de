import Testing
import ToastCore
import ToastFormats

@Suite struct CodeHostTests {
    @Test func aPushToGitHub() throws {
        let toast = try HookFormat.github.toast(
            """
            {"ref": "refs/heads/main", "repository": {"full_name": "a/b"}, "pusher": {"name": "ann"},
             "compare": "https://github.com/a/b/compare/1...2",
             "commits": [{"message": "One\\n\\nbody"}, {"message": "Two"}]}
            """,
            fields: ["x-github-event": "push"]
        )
        #expect((toast.title, toast.message) == ("a/b: main", "2 commits by ann\nOne\nTwo"))
        #expect(toast.link == "https://github.com/a/b/compare/1...2")
    }

    @Test(arguments: [
        ("refs/tags/v1", "true", "Tagged by ann"), ("refs/heads/x", "true", "Created by ann"),
        ("refs/heads/x", "false", "Pushed by ann"),
    ])
    func aPushWithoutCommits(_ reference: String, _ isCreated: String, _ message: String) throws {
        let toast = try HookFormat.github.toast(
            #"{"ref": "\#(reference)", "created": \#(isCreated), "pusher": {"name": "ann"}, "commits": []}"#,
            fields: ["x-github-event": "push"]
        )
        #expect(toast.message == message)
    }

    @Test(arguments: ["{}", #"{"ref": 5, "commits": []}"#, #"{"repository": {"full_name": "a/b"}, "commits": 5}"#])
    func aPushOfNothingIsRefused(_ document: String) {
        #expect(throws: FormatError.noText) {
            try HookFormat.github.toast(document, fields: ["x-github-event": "push"])
        }
    }

    @Test func whatOfAPushIsOfAnotherTypeIsNamed() throws {
        let fields = ["x-github-event": "push"]
        let bare = try HookFormat.github.toast(#"{"ref": "refs/heads/x", "commits": 5, "compare": 5}"#, fields: fields)
        #expect((bare.title, bare.message) == ("x", "Pushed"))
        #expect(bare.dropped == ["/compare", "/commits"])
        let unnamed = try HookFormat.github.toast(#"{"ref": 5, "commits": [{"message": "One"}]}"#, fields: fields)
        #expect(unnamed.message == "1 commit\nOne")
        #expect(unnamed.dropped == ["/ref"])
        let deleted = try HookMapping(.github).toasts(of: input(#"{"deleted": true}"#, fields: fields))
        #expect(deleted.toasts.isEmpty)
    }

    @Test(arguments: [("success", Role.success), ("failure", .error), ("cancelled", .warning), ("neutral", .info)])
    func aWorkflowRun(_ conclusion: String, _ role: Role) throws {
        let toast = try HookFormat.github.toast(
            """
            {"action": "completed", "repository": {"full_name": "a/b"}, "workflow_run": {"id": 7, "name": "CI",
             "conclusion": "\(conclusion)", "status": "completed", "head_branch": "main", "display_title": "Fix it",
             "html_url": "https://github.com/a/b/actions/runs/7"}}
            """,
            fields: ["x-github-event": "workflow_run"]
        )
        #expect(toast.draft.role == role)
        #expect((toast.title, toast.message) == ("a/b: CI", "\(conclusion): main, Fix it"))
        #expect(toast.draft.reuseIdentifier == "github-run-7")
        #expect(toast.draft.replacesPresent)
    }

    @Test func otherEventsMakeNoToastButAWarning() throws {
        let mapping = HookMapping(.github)
        let ping = try mapping.toasts(of: input("{}", fields: ["x-github-event": "ping"]))
        #expect(ping.toasts.isEmpty)
        #expect(ping.allWarnings.count == 1)
        #expect(throws: FormatError.self) { try mapping.toasts(of: input("{}")) }
    }

    @Test func aSignedBodyOfGitHub() throws {
        var mapping = HookMapping(.github)
        mapping.signingSecret = "It's a Secret to Everybody"
        // The example of docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries.
        let code = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
        let fields = ["x-github-event": "ping", "x-hub-signature-256": code]
        // A correct signature of a text that is no JSON.
        let error = #expect(throws: FormatError.self) { try mapping.toasts(of: input("Hello, World!", fields: fields)) }
        #expect(error != .wrongSignature)
        #expect(throws: FormatError.wrongSignature) { try mapping.toasts(of: input("Hello, World?", fields: fields)) }
        // A sign is no hexadecimal digit.
        let signs = fields.mapValues { $0.replacing("757107", with: "7571+7") }
        #expect(throws: FormatError.wrongSignature) { try mapping.toasts(of: input("Hello, World!", fields: signs)) }
    }

    @Test(arguments: [("success", Role.success), ("failed", .error), ("canceled", .warning), ("running", .info)])
    func aPipelineOfGitLab(_ status: String, _ role: Role) throws {
        let toast = try HookFormat.gitlab.toast(
            """
            {"object_kind": "pipeline", "object_attributes": {"id": 31, "ref": "main", "status": "\(status)"},
             "project": {"path_with_namespace": "g/p", "web_url": "https://gitlab.example/g/p"},
             "commit": {"title": "Fix it"}}
            """
        )
        #expect(toast.draft.role == role)
        #expect((toast.title, toast.message) == ("g/p: Pipeline #31", "\(status): main, Fix it"))
        #expect(toast.link == "https://gitlab.example/g/p/-/pipelines/31")
        #expect(toast.draft.reuseIdentifier == "gitlab-pipeline-31")
    }

    @Test func aPushToGitLab() throws {
        let toast = try HookFormat.gitlab.toast(
            """
            {"object_kind": "push", "ref": "refs/heads/main", "checkout_sha": "da15", "user_name": "Ann",
             "project": {"path_with_namespace": "g/p", "web_url": "https://gitlab.example/g/p"},
             "total_commits_count": 4, "commits": [{"message": "One"}]}
            """
        )
        #expect((toast.title, toast.message) == ("g/p: main", "4 commits by Ann\nOne"))
        #expect(toast.link == "https://gitlab.example/g/p/-/commit/da15")
    }

    @Test func anEventOfGitLabWithoutAKindIsAccepted() throws {
        // Events that groups send are accepted: GitLab disables a webhook that refuses.
        let event = input(#"{"event_name": "user_add_to_group", "group_name": "Ops"}"#)
        #expect(try HookMapping(.gitlab).toasts(of: event).toasts.isEmpty)
        #expect(throws: FormatError.self) { try HookMapping(.gitlab).toasts(of: input("{}")) }
    }

    @Test func aHookMayReplaceByTheIdentifierOfItsMessages() throws {
        let json: JSON = ["format": "cloudevents", "defaults": ["whenPresent": "replace"]]
        let mapping = try HookMapping(json: json, limits: .standard)
        let fields = ["ce-specversion": "1.0", "ce-id": "1", "ce-source": "/ci", "ce-type": "t"]
        let known = input(#"{"message": "m", "reuseIdentifier": "job"}"#, fields: fields)
        #expect(try mapping.toasts(of: known).toasts.first?.draft.replacesPresent == true)
        let unnamed = try mapping.toasts(of: input(#"{"message": "m"}"#, fields: fields)).toasts.first
        #expect(unnamed?.draft.replacesPresent == false)
        #expect(unnamed?.warnings.isEmpty == true)
    }

    @Test func theTokenOfGitLabHasToBeTheSame() throws {
        var mapping = HookMapping(.gitlab)
        mapping.signingSecret = "t"
        let body = #"{"object_kind": "note"}"#
        #expect(try mapping.toasts(of: input(body, fields: ["x-gitlab-token": "t"])).toasts.isEmpty)
        #expect(throws: FormatError.wrongSignature) {
            try mapping.toasts(of: input(body, fields: ["x-gitlab-token": "T"]))
        }
    }
}

@Suite struct PointersTests {
    @Test func pointersFindTheMembers() throws {
        var mapping = HookMapping(.json)
        mapping.pointers = [
            "title": "/monitor/name", "message": "/msg", "role": "/heartbeat/status", "reuseIdentifier": "/monitor/id",
            "link": "/list/1/a~1b",
        ]
        mapping.roles = ["0": .error, "1": .success]
        let body = """
            {"monitor": {"id": 5, "name": "Web"}, "heartbeat": {"status": 0}, "msg": "down",
             "list": [0, {"a/b": "https://a.example/"}]}
            """
        let toast = try #require(try mapping.toasts(of: input(body)).toasts.first)
        #expect((toast.title, toast.message, toast.link) == ("Web", "down", "https://a.example/"))
        #expect(toast.draft.role == .error)
        #expect(toast.draft.reuseIdentifier == "5")
        #expect(throws: FormatError.noText) { try mapping.toasts(of: input("{}")) }
    }

    @Test func longIdentifiersThatDifferStayDifferent() throws {
        var mapping = HookMapping(.json)
        mapping.pointers = ["message": "/m", "reuseIdentifier": "/id"]
        func identifier(_ id: String, nameLength: Int = 256) throws -> String? {
            var limits = Limits.standard
            limits.nameLength = nameLength
            let body = Array(#"{"m": "x", "id": "\#(id)"}"#.utf8)
            let request = FormatInput(contentType: "application/json", body: body, limits: limits)
            return try mapping.toasts(of: request).toasts.first?.draft.reuseIdentifier
        }
        // A letter of two bytes: code points are counted.
        let longest = String(repeating: "\u{E4}", count: 256)
        #expect(try identifier(longest) == longest)
        #expect(try identifier(longest + "1") == (longest + "1").sha256)
        #expect(try identifier(longest + "1") != identifier(longest + "2"))
        #expect(try identifier(longest + "1", nameLength: 16) == String((longest + "1").sha256.prefix(16)))
    }

    @Test func aValueThatIsNoTextIsDropped() throws {
        var mapping = HookMapping(.json)
        mapping.pointers = ["message": "/m", "title": "/t", "role": "/r"]
        let toast = try #require(try mapping.toasts(of: input(#"{"m": "x", "t": {}, "r": "purple"}"#)).toasts.first)
        #expect(toast.title == nil)
        #expect(Set(toast.dropped) == ["/t", "/r"])
    }
}

@Suite struct HookMappingTests {
    @Test(arguments: [
        (#"{}"#, "/format"), (#"{"format": "teams"}"#, "/format"), (#"{"format": "slack", "secret": 1}"#, "/secret"),
        (#"{"format": "slack", "defaults": []}"#, "/defaults"),
        (#"{"format": "slack", "defaults": {"role": "loud"}}"#, "/defaults/role"),
        (#"{"format": "slack", "defaults": {"rolle": "info"}}"#, "/defaults/rolle"),
        (#"{"format": "slack", "signingSecret": "x"}"#, "/signingSecret"),
        (#"{"format": "slack", "pointers": {"title": "/t"}}"#, "/pointers"), (#"{"format": "json"}"#, "/pointers"),
        (#"{"format": "json", "pointers": {"title": "t"}}"#, "/pointers/title"),
        (#"{"format": "json", "pointers": {"title": "/a~2"}}"#, "/pointers/title"),
        (#"{"format": "json", "pointers": {"title": "/a~"}}"#, "/pointers/title"),
        (#"{"format": "json", "pointers": {"size": "/t"}}"#, "/pointers/size"),
        (#"{"format": "json", "pointers": {"title": "/t"}, "roles": {"1": "up"}}"#, "/roles/1"),
        (#"{"format": "github", "signingSecret": ""}"#, "/signingSecret"), (#"[]"#, ""),
    ])
    func anInvalidHookIsRefusedAtItsMember(_ document: String, _ pointer: String) throws {
        let json = try JSON(parsing: Array(document.utf8))
        let error = #expect(throws: ValidationError.self) { try HookMapping(json: json, limits: .standard) }
        #expect(error?.issues.contains { $0.pointer == pointer } == true)
    }

    @Test(arguments: [
        ("{}", ["/format"]), (#"{"format": "slak"}"#, ["/format"]),
        (#"{"format": "slak", "signingSecret": "s", "pointers": {"title": "/t"}}"#, ["/format"]),
        (#"{"format": "slak", "secret": 1}"#, ["/format", "/secret"]),
        (#"{"format": "json", "pointers": {"title": "/a~2"}}"#, ["/pointers/title"]),
        (#"{"format": "slack", "roles": {"1": "info"}, "pointers": {"title": "/t"}}"#, ["/pointers", "/roles"]),
    ])
    func onlyWhatIsWrongIsNamed(_ document: String, _ pointers: [String]) throws {
        let json = try JSON(parsing: Array(document.utf8))
        let error = #expect(throws: ValidationError.self) { try HookMapping(json: json, limits: .standard) }
        #expect(error?.issues.map(\.pointer) == pointers)
    }

    @Test(arguments: [(256, "up", #"One of "success", "#), (257, "info", "A value of at most 256 bytes ")])
    func anInvalidRoleIsNamedWithWhatIsAllowed(length: Int, role: String, allowed: String) {
        let value = String(repeating: "v", count: length)
        let json: JSON = ["format": "json", "pointers": ["title": "/t"], "roles": .object([value: .string(role)])]
        let error = #expect(throws: ValidationError.self) { try HookMapping(json: json, limits: .standard) }
        #expect(error?.issues.map(\.pointer) == ["/roles/" + value])
        #expect(error?.issues.first?.detail.hasPrefix(allowed) == true)
    }

    @Test func aRefusedDefaultIsNotSaidToBeIgnored() throws {
        let json: JSON = ["format": "slack", "defaults": ["bogus": 1]]
        let error = #expect(throws: ValidationError.self) { try HookMapping(json: json, limits: .standard) }
        #expect(error?.issues == [ValidationIssue(pointer: "/defaults/bogus", detail: "There is no such member.")])
    }

    @Test func aPointerMayEscapeTildesAndSlashes() throws {
        let json: JSON = ["format": "json", "pointers": ["title": "/a~0~1b/~01", "message": ""]]
        #expect(try HookMapping(json: json, limits: .standard).pointers["title"] == "/a~0~1b/~01")
    }

    @Test func aStoredPointerOfAnEarlierVersionIsRead() throws {
        let record: JSON = ["format": "json", "pointers": ["title": "/a~2"]]
        #expect(try HookMapping(record: record).pointers == ["title": "/a~2"])
    }

    @Test func aHookComesBackFromItsRecord() throws {
        let json: JSON = [
            "format": "json", "defaults": ["style": "glass"], "pointers": ["title": "/t"], "roles": ["1": "success"],
        ]
        let mapping = try HookMapping(json: json, limits: .standard)
        var writer = JSONWriter()
        writer.object { mapping.writeMembers(to: &$0) }
        let record = try JSON(parsing: writer.bytes)
        #expect(record == json)
        #expect(try HookMapping(record: record) == mapping)
    }
}
