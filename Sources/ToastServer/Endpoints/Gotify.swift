import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

// The routes of Gotify (gotify.net/api-docs) that publish: a channel is an application with an address of its own.

extension API {
    /// The rules for Gotify's clients: where their credential is, and how they read problems.
    var gotifyRoute: ForeignRoute {
        ForeignRoute(
            caller: { (request) async throws(Problem) in
                guard let token = request.headers["x-gotify-key"] ?? request.target.value("token") else {
                    return try self.access.caller(of: request)
                }
                return try self.access.caller(of: request, authorization: "Bearer " + token)
            },
            describe: { problem, _ in Self.gotifyError(problem) }
        )
    }

    /// Answers `POST /gotify/{channel}/message`.
    func publishGotify(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let channel = try request.channel()
        let message: GotifyMessage
        do throws(FormatError) {
            message = try GotifyMessage(request.input(self.limits))
        } catch {
            var problem = Problem(from: error)
            // Gotify answers a message without a text, and a body that it cannot read, with 400.
            if problem.type != .credentialsInvalid { problem = Problem(.invalidJSON, problem.detail) }
            throw problem
        }
        let outcome = try await self.publish([message.toast], to: channel, by: caller, of: request)
        guard let toast = outcome.toasts.first else { throw Problem(.internalError) }
        return .object { writer in
            writer.member("id", toast.id.number)
            writer.member("appid", 1)
            for (name, value) in message.echo { writer.member(named: name, value) }
            writer.member("date", toast.createdAt)
        }
    }

    /// Answers `GET /gotify/{channel}/version`.
    func gotifyVersion(_: Request, _: Caller) async throws(Problem) -> Reply {
        .object { writer in
            // The version of Gotify's API that these routes follow; clients compare it.
            writer.member("version", "2.6.0")
            writer.member("commit", "toastd")
            writer.member("buildDate", "unknown")
        }
    }

    /// Answers `GET /gotify/{channel}/health`.
    func gotifyHealth(_: Request, _: Caller) async throws(Problem) -> Reply {
        let state = self.hub.failure == nil ? "green" : "red"
        return .object { writer in
            writer.member("health", state)
            writer.member("database", state)
        }
    }

    private static func gotifyError(_ problem: Problem) -> Response {
        let status = problem.type.status
        let names = [
            400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 429: "Too Many Requests",
        ]
        let response = Response.object(status) { writer in
            writer.member("error", names[status] ?? problem.type.title)
            writer.member("errorCode", status)
            writer.member("errorDescription", problem.detail ?? problem.type.title)
        }
        return response.adding(problem.headers)
    }
}

extension ToastID {
    /// A number for the id: its 48 random bits, which every client can hold.
    fileprivate var number: Int64 { Int64(self.description.suffix(12), radix: 16) ?? 0 }
}
