import Testing
import ToastCore
import ToastHub

@Suite struct ToastsTests {
    private static let path = "/v1/channels/ops/toasts"
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    /// Publishes a toast, and returns its path and entity tag.
    private func toast(_ body: String = #"{"message": "Hi"}"#) async throws -> (path: String, tag: String) {
        let response = try await self.server.send("POST", Self.path, json: body)
        return (try #require(response["Location"]), try #require(response["ETag"]))
    }

    @Test func `a toast that the client already has is not sent again`() async throws {
        let (path, tag) = try await self.toast()
        for validator in [tag, "W/" + tag, "*", "\"x\", \(tag)"] {
            let response = try await self.server.send("GET", path, ["If-None-Match": validator])
            #expect(response.status == 304)
            #expect(response.body.isEmpty)
            #expect(response["ETag"] == tag)
        }
        #expect(try await self.server.send("GET", path, ["If-None-Match": "\"x\""]).status == 200)
    }

    @Test func `a change makes another entity tag`() async throws {
        let (path, tag) = try await self.toast()
        let response = try await self.server.send("PATCH", path, json: #"{"message": "Bye"}"#)
        #expect(response.json["revision"] == 2)
        #expect(response["ETag"] != tag)
        #expect(try await self.server.send("GET", path, ["If-None-Match": tag]).json["message"] == "Bye")
    }

    @Test func `If-Match demands a revision`() async throws {
        let (path, tag) = try await self.toast()
        let change = #"{"message": "Bye"}"#
        #expect(try await self.server.send("PATCH", path, ["If-Match": tag], json: change).status == 200)
        for stale in [tag, "W/" + tag, "\"9\"", "\"x\"", ""] {
            let response = try await self.server.send("PATCH", path, ["If-Match": stale], json: change)
            #expect(response.status == 412)
            #expect(response.problem == "precondition-failed")
        }
        #expect(try await self.server.send("DELETE", path, ["If-Match": tag]).status == 412)
        #expect(try await self.server.send("DELETE", path, ["If-Match": "\"1\", \"2\""]).status == 200)
    }

    @Test func `a tag with another epoch matches nothing`() async throws {
        let (path, tag) = try await self.toast()
        let other = tag.replacing(self.server.hub.epoch.rawValue, with: "zzzzzzzz")
        let response = try await self.server.send("PATCH", path, ["If-Match": other], json: #"{"message": "Bye"}"#)
        #expect(response.status == 412)
    }

    @Test func `If-Match with a star matches any revision`() async throws {
        let (path, _) = try await self.toast()
        let response = try await self.server.send("PATCH", path, ["If-Match": "*"], json: #"{"message": "Bye"}"#)
        #expect(response.status == 200)
    }

    @Test(arguments: ["nothing", "00000000000000000000000000", "%20"])
    func `an id that names no toast is not found`(id: String) async throws {
        for method in ["GET", "DELETE"] {
            let response = try await self.server.send(method, Self.path + "/" + id)
            #expect(response.status == 404)
            #expect(response.problem == "toast-not-found")
        }
    }

    @Test func `a patch names its faults`() async throws {
        let (path, _) = try await self.toast()
        let response = try await self.server.send("PATCH", path, json: #"{"role": "loud", "message": 2}"#)
        #expect(response.status == 422)
        #expect(response.problem == "invalid-patch")
        #expect(Set(response.pointers) == ["/role", "/message"])
        let type = ["Content-Type": "application/merge-patch+json"]
        #expect(try await self.server.send("PATCH", path, type, json: "{}").status == 200)
        #expect(try await self.server.send("PATCH", path, ["Content-Type": "text/plain"], body: "x").status == 415)
    }

    @Test func `a dismissed toast stays readable and is dismissed once`() async throws {
        let (path, _) = try await self.toast()
        let first = try await self.server.send("DELETE", path)
        #expect(first.json["state"] == "dismissed")
        #expect(first.json["dismissReason"] == "api")
        #expect(try await self.server.send("DELETE", path).json == first.json)
        #expect(try await self.server.send("GET", path).json == first.json)
        let late = try await self.server.send("PATCH", path, json: #"{"message": "Bye"}"#)
        #expect(late.status == 409)
        #expect(late.problem == "toast-dismissed")
        #expect(late.json["toast"]?["state"] == "dismissed")
    }

    @Test func `the action of a queued toast cannot be pressed`() async throws {
        let (path, _) = try await self.toast(#"{"message": "Hi", "actions": [{"id": "undo", "title": "Undo"}]}"#)
        let response = try await self.server.send("POST", path + "/actions/undo")
        #expect(response.status == 409)
        #expect(response.problem == "toast-not-presented")
        #expect(response.json["toast"]?["state"] == "queued")
        #expect(try await self.server.send("POST", path + "/actions/nothing").status != 200)
    }

    @Test(arguments: [
        (#"{"dismissReason": "api"}"#, "/dismissReason"), (#"{"dismissReason": 1}"#, "/dismissReason"),
        (#"{"reason": "swipe"}"#, "/reason"), ("[]", ""),
    ])
    func `a dismissal by a person says how`(body: String, pointer: String) async throws {
        let (path, _) = try await self.toast()
        let response = try await self.server.send("POST", path + "/dismiss", json: body)
        #expect(response.problem == "invalid-command")
        #expect(response.pointers == [pointer])
    }

    @Test func `a hold has a holder and a lease`() async throws {
        let (path, _) = try await self.toast()
        let lease = try await self.server.send("PUT", path + "/holds/alice", json: #"{"lease": 1e9}"#)
        #expect(lease.pointers == ["/lease"])
        let holder = try await self.server.send("PUT", path + "/holds/a.b")
        #expect(holder.problem == "invalid-parameter")
        #expect(try await self.server.send("DELETE", path + "/holds/alice").status == 204)
    }

    @Test func `a listing goes on after the last toast of a page`() async throws {
        for number in 1...3 { _ = try await self.server.publish(#"{"message": "\#(number)"}"#) }
        let first = try await self.server.send("GET", Self.path + "?limit=2")
        #expect(first.json["toasts"]?.array?.map { $0["message"] } == ["1", "2"])
        let next = try #require(first.json["next"]?.string)
        let second = try await self.server.send("GET", Self.path + "?limit=2&after=\(next)")
        #expect(second.json["toasts"]?.array?.map { $0["message"] } == ["3"])
        #expect(second.json["next"] == nil)
    }

    @Test(arguments: ["limit=0", "limit=x", "limit=1001", "state=gone", "after=x"])
    func `a listing refuses invalid parameters`(query: String) async throws {
        let response = try await self.server.send("GET", Self.path + "?" + query)
        #expect(response.status == 400)
        #expect(response.problem == "invalid-parameter")
    }

    @Test func `a listing has an entity tag that each event changes`() async throws {
        _ = try await self.toast()
        let tag = try #require(try await self.server.send("GET", Self.path)["ETag"])
        #expect(try await self.server.send("GET", Self.path, ["If-None-Match": tag]).status == 304)
        _ = try await self.toast()
        #expect(try await self.server.send("GET", Self.path, ["If-None-Match": tag]).status == 200)
    }

    @Test func `clearing dismisses the toasts that match the query`() async throws {
        _ = try await self.toast(#"{"message": "a", "title": "x"}"#)
        _ = try await self.toast(#"{"message": "b"}"#)
        #expect(try await self.server.send("DELETE", Self.path + "?title=").problem == "invalid-parameter")
        #expect(try await self.server.send("DELETE", Self.path + "?title=x").json == ["dismissedCount": 1])
        #expect(try await self.server.send("DELETE", Self.path).json == ["dismissedCount": 1])
    }

    @Test func `toasts with one reuse identifier are updated together`() async throws {
        _ = try await self.toast(#"{"message": "a", "reuseIdentifier": "job"}"#)
        let path = Self.path + "?reuseIdentifier=job"
        let response = try await self.server.send("PATCH", path, json: #"{"message": "b"}"#)
        #expect(response.json["updatedCount"] == 1)
        #expect(response.json["toasts"]?.array?.map { $0["message"] } == ["b"])
        #expect(try await self.server.send("PATCH", Self.path, json: "{}").problem == "invalid-parameter")
    }
}
