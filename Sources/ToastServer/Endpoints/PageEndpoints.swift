import MicroHTTP
import ToastAccess
import ToastCore

extension API {
    func hasPage(at target: Target) -> Bool {
        target.path.first != "v1" && self.pages.file(target.path) != nil
    }

    /// Responds to `GET` of every path without a route; a path without a file counts as a read.
    func page(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        guard request.target.path.first != "v1", let file = self.pages.file(request.target.path) else {
            try self.charge(1, .read, to: caller)
            throw Problem(.notFound)
        }
        return .response(self.pages.response(to: request, with: file))
    }

    /// Answers `GET /v1/styles`.
    func listStyles(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        .object { writer in
            writer.array("styles") { writer in
                for style in self.pages.styles {
                    writer.object { writer in
                        writer.member("name", style.name)
                        writer.member("own", style.isOwn)
                        writer.member("stylesheet", "/styles/\(style.name).css")
                    }
                }
            }
        }
    }
}
