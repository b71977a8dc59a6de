import Testing
import ToastCore
import ToastHub

@testable import MicroHTTP
@testable import ToastServer

@Suite struct RequestReadingTests {
    private func request(_ fields: (String, String)..., target: String = "/") throws -> Request {
        var headers = HeaderFields()
        for (name, value) in fields { headers.append(name: name.utf8, value: value.utf8) }
        return Request(method: .get, target: try #require(Target(target.utf8)), headers: headers)
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("*", true), ("br, gzip;q=0.5", true), ("gzip;q=0", false),
        ("gzip; q=0.000", false),
        ("*;q=0", false), ("*, gzip;q=0", false), ("br", false), ("", false),
    ])
    func `a coding is accepted unless it is ruled out`(field: String, isAccepted: Bool) throws {
        #expect(try self.request(("Accept-Encoding", field)).accepts(encoding: "gzip") == isAccepted)
    }

    @Test(
        arguments: [
            ("wait=5", 5), ("wait=\"5\"", 5), ("WAIT = 5; x=1", 5), ("wait=5, wait=9", 5), ("wait=-1", nil),
            ("wait", nil),
            ("wait=99999999999999999999", Int.max), ("return=minimal", nil),
        ] as [(String, Int?)]
    )
    func `a preferred wait is in whole seconds, and the first counts`(field: String, seconds: Int?) throws {
        #expect(Preferences(try self.request(("Prefer", field))).wait == seconds)
    }

    @Test func `preferences of several fields count together`() throws {
        let preferences = Preferences(try self.request(("Prefer", "return=minimal"), ("Prefer", "wait=3, withdraw")))
        #expect(preferences.isMinimal)
        #expect(preferences.withdraws)
        #expect(preferences.wait == 3)
    }

    @Test(arguments: [
        ("application/json", "application/json"), ("Application/JSON; charset=utf-8", "application/json"),
        ("text/plain ;x", "text/plain"),
    ])
    func `a media type has neither case nor parameters`(field: String, type: String) throws {
        #expect(try self.request(("Content-Type", field)).mediaType == type)
    }

    @Test func `a precondition is read from If-Match and If-None-Match`() throws {
        #expect(Precondition(try self.request()).holds(for: "\"a\""))
        let match = Precondition(try self.request(("If-Match", "\"a\", \"b\"")))
        #expect(match.holds(for: "\"b\""))
        #expect(!match.holds(for: "\"c\""))
        #expect(!match.holds(for: nil))
        let none = Precondition(try self.request(("If-None-Match", "W/\"a\"")))
        #expect(!none.holds(for: "\"a\""))
        #expect(none.holds(for: nil))
        #expect(!Precondition(try self.request(("If-Match", ""))).holds(for: "\"a\""))
    }

    @Test(arguments: ["x", "-1", "61", "", "nan"])
    func `a number out of bounds is a wrong parameter`(text: String) throws {
        let request = try self.request(target: "/?wait=\(text)")
        let problem = #expect(throws: Problem.self) { _ = try request.number("wait", in: 0...60) }
        #expect(problem?.type == .invalidParameter)
        #expect(problem?.detail == "wait: a number from 0 to 60 is expected.")
    }
}
