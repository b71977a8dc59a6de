import Testing

@testable import MicroHTTP

@Suite struct HeaderFieldsTests {
    private func fields(_ fields: (String, String)...) -> HeaderFields {
        var result = HeaderFields()
        for (name, value) in fields { result.append(name: Array(name.utf8), value: Array(value.utf8)) }
        return result
    }

    @Test func `names compare without regard to case, and the first field counts`() {
        let fields = self.fields(("ACCEPT", " a\t"), ("Accept", "b"), ("Accent", "c"))
        #expect(fields["accept"] == "a")
        #expect(fields.count(of: "accept") == 2)
        #expect(fields["accepts"] == nil)
        #expect(fields.isSpelled("accent", "c"))
    }

    @Test func `a list is split at commas, over all fields of its name`() {
        // A combining character after the comma does not hide it.
        let fields = self.fields(("X", "a, b ,,\tc"), ("Y", "no"), ("x", "d,\u{301}e"))
        #expect(fields.list("x") == ["a", "b", "c", "d", "\u{301}e"])
    }

    @Test func `a removed field is gone`() {
        var fields = self.fields(("Upgrade", "a"), ("Host", "x"), ("upgrade", "b"))
        fields.remove("upgrade")
        #expect(fields["upgrade"] == nil)
        #expect(fields["host"] == "x")
        #expect(fields.count == 1)
    }

    @Test(arguments: [
        ("A-b", "c", true), ("", "c", false), ("a b", "c", false), ("a", "b\rc", false), ("a", "b\0", false),
        ("ä", "b", false), ("a", "ä\t", true),
    ])
    func `names are tokens, and values hold no line ends`(name: String, value: String, isWellFormed: Bool) {
        #expect(self.fields((name, value)).isWellFormed == isWellFormed)
    }

    @Test(arguments: [
        ("example.com", true), ("example.com:8080", true), ("toast.localhost", false), ("localhost", false),
        ("127.0.0.1", false), ("[::1]:80", false), ("box", false), ("example.com.", true), ("a.1x", true),
    ])
    func `only a name with a dot may be public`(host: String, isPublic: Bool) {
        #expect(self.fields(("Host", host)).hasPublicHost == isPublic)
    }
}
