import Testing

@testable import MicroHTTP

@Suite struct TargetTests {
    @Test(arguments: [
        ("/", []), ("/a/b", ["a", "b"]), ("/a/", ["a", ""]), ("/a%20b/%C3%A4", ["a b", "ä"]), ("/a+b", ["a+b"]),
        ("/a%3Fb?c", ["a?b"]), ("/a?b/c", ["a"]),
    ])
    func `a path is decoded segment by segment`(text: String, path: [String]) throws {
        #expect(try #require(Target(text.utf8)).path == path)
    }

    @Test(arguments: [
        "", "a", "*", "http://x/", "/%", "/%2", "/%zz", "/%00", "/a%2Fb", "/.", "/..", "/a/../b", "/%2E%2E", "/%FF",
        "/a b",
        "/a#b", "/?a=%", "/?a=%00", "/?a=\u{7F}", "/?a=" + Self.marks, "/?\(Self.marks)=1", "/" + Self.marks,
    ])
    func `a malformed target is refused`(text: String) {
        #expect(Target(text.utf8) == nil)
    }

    /// More combining marks than a text may have; comparing many takes long.
    private static let marks = String(repeating: "%CC%81", count: 65)

    @Test func `a query is a list of parameters in order`() throws {
        let target = try #require(Target("/?a=1&b&a=x+y%2B&&=c&d=e=f".utf8))
        #expect(target.query.map(\.name) == ["a", "b", "a", "", "d"])
        #expect(target.query.map(\.value) == ["1", "", "x y+", "c", "e=f"])
        #expect(target.value("a") == "1")
        #expect(target.values("a") == ["1", "x y+"])
        #expect(target.value("c") == nil)
    }

    @Test(arguments: [(1024, 1, false), (1025, 1, true), (20, 16, false), (20, 17, true)])
    func `the length of a path and the number of its segments are limited`(length: Int, segments: Int, isLong: Bool) {
        let path =
            Array(String(repeating: "/", count: segments).utf8) + [UInt8](repeating: 0x61, count: length - segments)
        #expect(Target.hasLongPath(path) == isLong)
        #expect(Target.hasLongPath(path + Array("?".utf8) + path) == isLong)
    }
}
