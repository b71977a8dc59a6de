import Testing
import ToastCore

@testable import ToastFormats

@Suite struct SlackTests {
    @Test func aTextIsAMessageWithoutMarks() throws {
        let toast = try HookFormat.slack.toast(
            #"{"text": "*Build* <https://ci.example/7|#7> of `main` by <@U1|ann> &amp; _bob_ &lt;x&gt; snake_case 2 * 3"}"#
        )
        #expect(toast.message == "Build #7 of main by @ann & bob <x> snake_case 2 * 3")
        #expect(toast.title == nil)
        #expect(toast.draft.role == .info)
    }

    /// Searching the end of a run at each of its marks would take quadratic time.
    @Test(.timeLimit(.minutes(1))) func aLongRunOfMarksIsReadOnce() throws {
        let marks = String(repeating: "*", count: 200_000)
        #expect(try HookFormat.slack.toast(#"{"text": "\#(marks)a"}"#).message?.hasPrefix("**") == true)
        let flags = String(repeating: "🇦🇦*", count: 20_000)
        #expect(try HookFormat.slack.toast(#"{"text": "\#(flags)"}"#).message?.hasPrefix("🇦🇦🇦🇦") == true)
        #expect(try HookFormat.slack.toast(#"{"text": "2 ** 3 a**b **c**"}"#).message == "2 ** 3 a**b c")
        let halves = String(repeating: "🇦", count: 250_000)
        let toast = try HookFormat.slack.toast(#"{"text": "\#(halves)"}"#)
        #expect(toast.message?.unicodeScalars.count == Limits.standard.textLength)
    }

    @Test(arguments: [
        ("Saved to ~/backup", "Saved to ~/backup"), ("rm *.log", "rm *.log"), ("took ~5 min", "took ~5 min"),
        ("/var/log/*", "/var/log/*"), ("_id of *a b* and `x_y`", "_id of a b and x_y"), ("*a\nb*", "*a\nb*"),
        ("e\u{301}*a*", "e\u{301}*a*"), ("*e\u{301}*", "e\u{301}"),
    ])
    func onlyPairsOfMarksAreTakenAway(_ sent: String, _ shown: String) throws {
        var writer = JSONWriter()
        writer.object { $0.member("text", sent) }
        #expect(try HookFormat.slack.toast(String(decoding: writer.bytes, as: UTF8.self)).message == shown)
    }

    @Test func aFormCarriesThePayload() throws {
        let form = "payload=%7B%22text%22%3A+%22A+%26+B%22%7D"
        #expect(try HookFormat.slack.toast(form, type: "application/x-www-form-urlencoded").message == "A & B")
    }

    @Test func blocksBecomeTitleTextImageAndButtons() throws {
        let toast = try HookFormat.slack.toast(
            """
            {"text": "fallback of the blocks", "blocks": [
              {"type": "header", "text": {"type": "plain_text", "text": "Deploy"}},
              {"type": "section", "text": {"type": "mrkdwn", "text": "*web* to production"},
               "fields": [{"type": "mrkdwn", "text": "By\\nann"}]},
              {"type": "image", "image_url": "https://ci.example/a.png", "alt_text": "A graph"},
              {"type": "actions", "elements": [
                {"type": "button", "text": {"type": "plain_text", "text": "Log"}, "url": "https://ci.example/log"},
                {"type": "button", "text": {"type": "plain_text", "text": "Approve"}, "value": "1"}]},
              {"type": "divider"}, {"type": "video"}]}
            """
        )
        #expect(toast.title == "Deploy")
        #expect(toast.message == "web to production\nBy\nann")
        #expect(toast.image == "https://ci.example/a.png")
        #expect(toast.draft.details.image?["alt"] == "A graph")
        #expect(toast.actions == ["Log https://ci.example/log"])
        #expect(toast.dropped == ["/blocks/3/elements/1", "/blocks/5"])
    }

    @Test func aPlainTextHasNoMarks() throws {
        let toast = try HookFormat.slack.toast(
            """
            {"blocks": [
              {"type": "header", "text": {"type": "plain_text", "text": "*1* :rocket:"}},
              {"type": "section", "text": {"type": "plain_text", "text": "_a_ &lt;b&gt; [c](d)"},
               "fields": [{"type": "plain_text", "text": "`e`"}, {"type": "mrkdwn", "text": "`f`"}]},
              {"type": "context", "elements": [{"type": "plain_text", "text": "~g~"}]},
              {"type": "actions", "elements": [
                {"type": "button", "text": {"type": "plain_text", "text": ":bell: *h*"}, "url": "https://a.example"}]}]}
            """
        )
        #expect(toast.title == "*1* 🚀")
        #expect(toast.message == "_a_ <b> [c](d)\n`e`\nf\n~g~")
        #expect(toast.actions == ["🔔 *h* https://a.example"])
        #expect(try HookFormat.slack.toast(#"{"text": "*a*", "mrkdwn": false}"#).message == "*a*")
        let fallback = #"{"text": "*a*", "mrkdwn": false, "blocks": [{"type": "video"}]}"#
        #expect(try HookFormat.slack.toast(fallback).message == "*a*")
    }

    @Test func aRichTextIsItsLines() throws {
        let toast = try HookFormat.slack.toast(
            """
            {"blocks": [{"type": "rich_text", "elements": [
              {"type": "rich_text_section", "elements": [
                {"type": "text", "text": "*Ready* ", "style": {"bold": true}}, {"type": "emoji", "name": "rocket"},
                {"type": "text", "text": " "}, {"type": "link", "url": "https://a.example", "text": "log"},
                {"type": "text", "text": " by "}, {"type": "user", "user_id": "U1"}]},
              {"type": "rich_text_list", "style": "bullet", "elements": [
                {"type": "rich_text_section", "elements": [{"type": "text", "text": "web"}]},
                {"type": "rich_text_section", "elements": [{"type": "link", "url": "https://b.example"}]}]},
              {"type": "rich_text_list", "style": "ordered", "elements": [
                {"type": "rich_text_section", "elements": [{"type": "date", "timestamp": 1700000000}]}]},
              {"type": "rich_text_quote", "elements": [{"type": "emoji", "name": "ours"}]}, {"type": "poem"}]}]}
            """
        )
        #expect(
            toast.message == """
                *Ready* 🚀 log by @U1
                • web
                • https://b.example
                1. 2023-11-14 22:13 UTC
                :ours:
                """
        )
        #expect(toast.dropped == ["/blocks/0/elements/4"])
    }

    @Test(arguments: [
        (":rocket: out", "🚀 out"), ("a:x:b 1:100:2", "a:x:b 1:100:2"), (":no such: :+1:", ":no such: 👍️"), (":", ":"),
        ("::x:", ":❌"), ("(:x:)", "(❌)"), (":rocket", ":rocket"),
    ])
    func aNameBetweenColonsIsAnEmoji(_ sent: String, _ shown: String) throws {
        #expect(try HookFormat.slack.toast(#"{"text": "\#(sent)"}"#).message == shown)
    }

    @Test(arguments: [
        ("good", Role.success), ("#2eb886", .success), ("warning", .warning), ("#daa038", .warning), ("danger", .error),
        ("#e01e5a", .error), ("#439FE0", .info), ("#cccccc", .info),
    ])
    func anAttachmentsColorIsTheRole(_ color: String, _ role: Role) throws {
        let toast = try HookFormat.slack.toast(
            """
            {"attachments": [{"color": "\(color)", "title": "Disk", "title_link": "https://a.example/d",
              "pretext": "On web-1:", "text": "9 % left", "fields": [{"title": "Mount", "value": "/"}],
              "fallback": "not shown", "ts": 1}]}
            """
        )
        #expect(toast.draft.role == role)
        #expect(toast.title == "Disk")
        #expect(toast.message == "On web-1:\n9 % left\nMount: /")
        #expect(toast.link == "https://a.example/d")
        #expect(toast.dropped == ["/attachments/0/ts"])
    }

    @Test(arguments: ["+e01e5a", "#+e01e5a", "-1", "#"])
    func aColorHasNoSign(_ color: String) {
        #expect(Role(color: color) == nil)
    }

    @Test(arguments: [("#f00", Role.error), ("0f0", .success), ("#888", .info)])
    func aColorMayBeShort(_ color: String, role: Role) {
        #expect(Role(color: color) == role)
    }

    @Test func theMarksOfTwoRunsAreCountedTogether() throws {
        let marks = String(repeating: "\u{301}", count: 60)
        #expect(throws: FormatError.noText) {
            try HookFormat.slack.toast(#"{"text": "*e\#(marks)*\#(marks) x"}"#)
        }
    }

    @Test func theFallbackIsShownWhenThereIsNothingElse() throws {
        #expect(try HookFormat.slack.toast(#"{"attachments": [{"fallback": "Disk full"}]}"#).message == "Disk full")
        let drawn = #"{"text": "Chart of today", "blocks": [{"type": "video"}]}"#
        #expect(try HookFormat.slack.toast(drawn).message == "Chart of today")
        // As Alertmanager's template writes it.
        let titled = try HookFormat.slack.toast(
            #"{"attachments": [{"title": "[FIRING:1] Disk", "text": "", "fallback": "[FIRING:1] Disk | http://a"}]}"#
        )
        #expect((titled.title, titled.message ?? "") == ("[FIRING:1] Disk", ""))
    }

    @Test(arguments: [
        (#"{"type": "markdown", "text": "**Deployed** 1.2"}"#, "Deployed 1.2", 0),
        (#"{"type": "table", "rows": []}"#, "the text", 1),
        (#"{"type": "context", "elements": [{"type": "plain_text", "text": "c"}]}, {"type": "video"}"#, "c", 1),
        (#"{"type": "header", "text": {"text": "Title"}}, {"type": "table"}"#, "the text", 1),
    ])
    func theTextStandsForABlockThatCannotBeShown(_ blocks: String, _ shown: String, _ warnings: Int) throws {
        let toast = try HookFormat.slack.toast(#"{"text": "the text", "blocks": [\#(blocks)]}"#)
        #expect(toast.message == shown)
        #expect(toast.warnings.count == warnings)
    }

    @Test func anAttachmentNamesItsAuthorAndItsSource() throws {
        let toast = try HookFormat.slack.toast(
            #"{"attachments": [{"author_name": "ann", "title": "T", "text": "Fixed", "footer": "Jira"}]}"#
        )
        #expect((toast.title, toast.message) == ("T", "ann\nFixed\nJira"))
        #expect(toast.warnings.isEmpty)
        let bare = try HookFormat.slack.toast(#"{"attachments": [{"fallback": "Build 7 failed", "footer": "CI"}]}"#)
        #expect(bare.message == "Build 7 failed\nCI")
    }

    @Test func whatCannotBeShownIsAnError() {
        #expect(throws: FormatError.noText) { try HookFormat.slack.toast("{}") }
        #expect(throws: FormatError.self) { try HookFormat.slack.toast("[]") }
        #expect(throws: FormatError.self) {
            try HookFormat.slack.toast("text=x", type: "application/x-www-form-urlencoded")
        }
    }

    @Test func longTextsAreCutAndUnsafeLinksDropped() throws {
        let toast = try HookFormat.slack.toast(
            """
            {"text": "\(String(repeating: "a", count: 5000))",
             "attachments": [{"title": "T", "title_link": "javascript:alert(1)", "image_url": "https://u:p@a.example/"}]}
            """
        )
        #expect(toast.message?.unicodeScalars.count == 4096)
        #expect(toast.message?.hasSuffix("a…") == true)
        #expect(toast.link == nil)
        #expect(toast.image == nil)
        #expect(Set(toast.dropped) == ["/message", "/attachments/0/title_link", "/attachments/0/image_url"])
    }

    @Test func `a long text with accents is cut with a warning`() throws {
        // A combining accent is a code point of its own, but no character.
        let text = String(repeating: "x", count: 4095) + "a\u{302}\u{301}"
        let toast = try HookFormat.slack.toast(#"{"text": "\#(text)"}"#)
        #expect(toast.message?.unicodeScalars.count == 4096)
        #expect(toast.message?.hasSuffix("x…") == true)
        #expect(toast.dropped == ["/message"])
    }

    @Test func `a link may be as long as the limits say`() throws {
        func toast(_ length: Int) throws -> MappedToast? {
            let url = "https://a.example/" + String(repeating: "x", count: length - 18)
            let body = #"{"text": "x", "attachments": [{"title_link": "\#(url)"}]}"#
            var limits = Limits.standard
            limits.urlLength = 4096
            let request = FormatInput(contentType: "application/json", body: Array(body.utf8), limits: limits)
            return try HookMapping(.slack).toasts(of: request).toasts.first
        }
        let kept = try #require(try toast(4096))
        #expect(kept.link?.utf8.count == 4096)
        #expect(kept.dropped.isEmpty)
        let dropped = try #require(try toast(4097))
        #expect(dropped.link == nil)
        #expect(dropped.dropped == ["/attachments/0/title_link"])
    }

    @Test func defaultsFillWhatIsOpen() throws {
        var mapping = HookMapping(.slack)
        mapping.defaults = ["title": "CI", "placement": "bottom", "role": "warning"]
        let toast = try #require(try mapping.toasts(of: input(#"{"text": "x"}"#)).toasts.first)
        #expect(toast.title == "CI")
        #expect(toast.draft.placement == .bottom)
        #expect(toast.draft.role == .warning)
    }
}

@Suite struct DiscordTests {
    @Test func anEmbedIsTitleTextColorLinkAndImage() throws {
        let toast = try HookFormat.discord.toast(
            """
            {"content": "**Release**", "username": "ci", "embeds": [{"title": "v2", "description": "Now out",
              "url": "https://a.example/v2", "color": 3066993, "image": {"url": "https://a.example/i.png"},
              "fields": [{"name": "Size", "value": "3 MB"}], "footer": {"text": "f"}}]}
            """
        )
        #expect(toast.title == "v2")
        #expect(toast.message == "Release\nNow out\nSize: 3 MB")
        #expect(toast.draft.role == .success)
        #expect(toast.link == "https://a.example/v2")
        #expect(toast.image == "https://a.example/i.png")
        #expect(toast.dropped == ["/embeds/0/footer", "/username"])
    }

    @Test(arguments: [
        ("<:party:123> <a:spin:4>", ":party: :spin:"), ("at <t:1700000000:R>", "at 2023-11-14 22:13 UTC"),
        ("<t:1700000000>", "2023-11-14 22:13 UTC"), ("<t:x> <@!1> <@&2>", "t:x @1 @2"),
    ])
    func anEmojiOrATimeIsReadable(_ sent: String, _ shown: String) throws {
        #expect(try HookFormat.discord.toast(#"{"content": "\#(sent)"}"#).message == shown)
    }

    @Test(arguments: [
        ("cpu < 5 and mem > 3", "cpu < 5 and mem > 3"), ("a Vec<int> here", "a Vec<int> here"),
        ("see <https://a.example>", "see https://a.example"), ("2 < 3", "2 < 3"),
    ])
    func aSignThatStandsForItselfIsKept(_ sent: String, _ shown: String) throws {
        #expect(try HookFormat.discord.toast(#"{"content": "\#(sent)"}"#).message == shown)
    }

    @Test func aFormWithFilesHasTheMessageInAField() throws {
        let body =
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nx\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"payload_json\"\r\n\r\n{\"content\": \"hi\"}\r\n--b--\r\n"
        let toast = try HookFormat.discord.toast(body, type: "multipart/form-data; boundary=b")
        #expect(toast.message == "hi")
    }

    @Test func aFormWithoutADocumentHasTheMembersInFields() throws {
        let type = "application/x-www-form-urlencoded"
        let toast = try HookFormat.discord.toast("content=Build+%237&username=ci", type: type)
        #expect(toast.message == "Build #7")
        #expect(toast.dropped == ["/username"])
    }
}

@Suite struct AppriseTests {
    @Test(arguments: [("info", Role.info), ("success", .success), ("warning", .warning), ("failure", .error)])
    func theTypeIsTheRole(_ type: String, _ role: Role) throws {
        let toast = try HookFormat.apprise.toast(
            #"{"version": "1.0", "title": "T", "message": "M", "attachments": [], "type": "\#(type)"}"#
        )
        #expect(toast.draft.role == role)
        #expect((toast.title, toast.message) == ("T", "M"))
        #expect(toast.dropped.isEmpty)
    }

    @Test func whatIsNoTextIsNamed() throws {
        let toast = try HookFormat.apprise.toast(
            #"{"title": 5, "message": null, "body": "b", "type": ["info"], "format": {}}"#
        )
        #expect(toast.title == nil)
        #expect(toast.message == "b")
        #expect(toast.dropped == ["/title", "/type", "/format"])
        #expect(try HookFormat.apprise.toast(#"{"message": 5, "body": "b"}"#).dropped == ["/message"])
        #expect(throws: FormatError.noText) { try HookFormat.apprise.toast(#"{"title": 5}"#) }
    }

    @Test func aFormAndABodyDoAsWell() throws {
        let form = try HookFormat.apprise.toast(
            "version=1.0&title=A%20b&message=%C3%A4&type=failure",
            type: "application/x-www-form-urlencoded"
        )
        #expect((form.title, form.message) == ("A b", "ä"))
        let api = try HookFormat.apprise.toast(#"{"body": "B", "format": "markdown", "tag": "x"}"#)
        #expect(api.message == "B")
        #expect(api.dropped == ["/format"])
    }
}
