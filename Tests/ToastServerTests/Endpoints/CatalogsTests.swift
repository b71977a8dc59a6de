import Testing
import ToastCore

@Suite struct CatalogsTests {
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    @Test func `a catalog is made, replaced, read and removed`() async throws {
        let path = "/v1/catalogs/fr"
        let made = try await self.server.send("PUT", path, json: #"{"hello": "Bonjour"}"#)
        #expect(made.status == 201)
        #expect(made["Location"] == path)
        #expect(made.json == ["language": "fr", "keyCount": 1, "keyCounts": ["builtIn": 0, "files": 0, "api": 1]])
        #expect(try await self.server.send("PUT", path, json: #"{"hello": "Salut"}"#).status == 200)
        let read = try await self.server.send("GET", path)
        #expect(read.json == ["hello": "Salut"])
        #expect(read["Content-Language"] == "fr")
        #expect(try await self.server.send("DELETE", path).status == 204)
        for method in ["GET", "DELETE"] {
            #expect(try await self.server.send(method, path).problem == "catalog-not-found")
        }
    }

    @Test func `a catalog has an entity tag`() async throws {
        let path = "/v1/catalogs/fr"
        let create = ["If-None-Match": "*"]
        #expect(try await self.server.send("PUT", path, create, json: #"{"a": "b"}"#).status == 201)
        let again = try await self.server.send("PUT", path, create, json: #"{"a": "c"}"#)
        #expect(again.status == 412)
        #expect(again.json["detail"] == "The catalog is what If-None-Match rules out.")
        let tag = try #require(try await self.server.send("GET", path)["ETag"])
        #expect(try await self.server.send("GET", path, ["If-None-Match": tag]).status == 304)
        #expect(try await self.server.send("DELETE", path, ["If-Match": "\"x\""]).status == 412)
        #expect(try await self.server.send("DELETE", path, ["If-Match": tag]).status == 204)
    }

    @Test func `a text of a toast is in the reader's language`() async throws {
        _ = try await self.server.send("PUT", "/v1/catalogs/fr", json: #"{"hello": "Bonjour"}"#)
        let toast = try await self.server.publish(#"{"message": {"key": "hello", "default": "Hello"}}"#)
        let path = "/v1/channels/ops/toasts/" + (try #require(toast["id"]?.string))
        let french = try await self.server.send("GET", path, ["Accept-Language": "fr, en;q=0.5"])
        #expect(french.json["message"]?["text"] == "Bonjour")
        #expect(french["Content-Language"] == "fr")
        #expect(french.list("Vary").contains("Accept-Language"))
        let english = try await self.server.send("GET", path)
        #expect(english.json["message"]?["text"] == "Hello")
        #expect(english["ETag"] != french["ETag"])
    }

    @Test func `Apple's strings and string catalogs are read by their media types`() async throws {
        let strings = ["Content-Type": "text/x-strings"]
        let path = "/v1/catalogs/fr"
        #expect(try await self.server.send("PUT", path, strings, body: "\"a\" = \"b\";").status == 201)
        #expect(try await self.server.send("GET", path).json == ["a": "b"])
        let broken = try await self.server.send("PUT", path, strings, body: "\"a\" = ")
        #expect(broken.status == 422)
        #expect(broken.problem == "invalid-catalog")
        let latin = ["Content-Type": "text/x-strings; charset=latin1"]
        #expect(try await self.server.send("PUT", path, latin, body: "").status == 415)
        let catalog =
            #"{"sourceLanguage": "en", "version": "1.0", "strings": {"a": {"localizations": "#
            + #"{"fr": {"stringUnit": {"state": "translated", "value": "c"}}}}}}"#
        let type = ["Content-Type": "application/vnd.apple.xcstrings+json"]
        #expect(try await self.server.send("PUT", path, type, body: catalog).status == 200)
        #expect(try await self.server.send("GET", path).json == ["a": "c"])
        let all = try await self.server.send("PUT", "/v1/catalogs", type, body: catalog)
        #expect(all.json["catalogs"]?.array?.map { $0["language"] }.contains("fr") == true)
        #expect(try await self.server.send("PUT", "/v1/catalogs", json: "{}").status == 415)
    }

    @Test func `a language is named by a tag`() async throws {
        for method in ["GET", "PUT", "DELETE"] {
            let response = try await self.server.send(method, "/v1/catalogs/not_a_tag", json: "{}")
            #expect(response.status == 400)
            #expect(response.problem == "invalid-language")
        }
    }

    @Test func `the list of catalogs has an entity tag`() async throws {
        let list = try await self.server.send("GET", "/v1/catalogs")
        #expect(list.json["default"] == "en")
        let tag = try #require(list["ETag"])
        #expect(try await self.server.send("GET", "/v1/catalogs", ["If-None-Match": tag]).status == 304)
        _ = try await self.server.send("PUT", "/v1/catalogs/fr", json: #"{"hello": "Bonjour"}"#)
        #expect(try await self.server.send("GET", "/v1/catalogs", ["If-None-Match": tag]).status == 200)
    }
}
