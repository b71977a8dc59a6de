import Foundation
import Testing
import ToastCore

@testable import ToastServer

@Suite struct PagesTests {
    @Test func `a page is served with its type, a tag and its policy`() async throws {
        let server = try await TestServer()
        let page = try await server.send("GET", "/")
        #expect(page.status == 200)
        #expect(page["Content-Type"] == "text/html; charset=utf-8")
        #expect(page.text.contains("<title>Toasts</title>"))
        #expect(page["Content-Security-Policy"]?.contains("script-src 'self'") == true)
        #expect(page["Content-Security-Policy"]?.contains("frame-ancestors 'none'") == true)
        let tag = try #require(page["ETag"])
        #expect(try await server.send("GET", "/index.html", ["If-None-Match": tag]).status == 304)
        #expect(try await server.send("GET", "/openapi.yaml").text == "openapi: 3.1.0\n")
    }

    @Test func `a compressed page is another representation`() async throws {
        let server = try await TestServer()
        let plain = try await server.send("GET", "/long.txt")
        let compressed = try await server.send("GET", "/long.txt", ["Accept-Encoding": "gzip"])
        #expect(compressed["Content-Encoding"] == "gzip")
        #expect(compressed["Vary"] == "Accept-Encoding")
        #expect(compressed.body.count < plain.body.count)
        #expect(compressed["ETag"] != plain["ETag"])
    }

    @Test func `only styles that are served are listed`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "pages-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let styles = directory.appending(path: "styles")
        try FileManager.default.createDirectory(at: styles, withIntermediateDirectories: true)
        for file in [directory.appending(path: "index.html"), styles.appending(path: "plain.css")] {
            try Data().write(to: file)
        }
        try FileManager.default.createSymbolicLink(
            at: styles.appending(path: "away.css"),
            withDestinationURL: URL(filePath: "/etc/hostname")
        )
        #expect(try Pages(directory: directory.path()).styles.map(\.name.rawValue) == ["plain"])
    }

    @Test func `what was edited is served after a refresh`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "pages-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let index = directory.appending(path: "index.html")
        #expect(throws: PagesError.noIndex(directory.path())) { try Pages(directory: directory.path()) }
        try Data("old".utf8).write(to: index)
        let pages = try Pages(directory: directory.path())
        try Data("new".utf8).write(to: index)
        try FileManager.default.createSymbolicLink(
            at: directory.appending(path: "link.txt"),
            withDestinationURL: URL(filePath: "/etc/hostname")
        )
        #expect(pages.file([])?.content == Array("old".utf8))
        try await pages.refresh()
        #expect(pages.file([])?.content == Array("new".utf8))
        // A link to a file outside the directory is not served.
        #expect(pages.file(["link.txt"]) == nil)
    }
}
