import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /livez`: a response means that the process is alive.
    func liveness(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        .response(Self.ok)
    }

    /// Answers `GET /readyz`: whether the store works, and the server is not shutting down.
    func readiness(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        guard !self.hub.isDraining else { throw Problem(.shuttingDown) }
        do throws(StoreError) {
            if let failure = self.hub.failure { throw failure }
            _ = try await self.hub.store.channels(after: nil, limit: 1)
        } catch {
            var problem = Problem(from: error)
            // The operator needs the store's reason, which has nothing that a client sent.
            problem.detail = error.description
            throw problem
        }
        return .response(Self.ok)
    }

    /// Answers `GET /openapi.yaml`.
    func description(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        guard let file = self.pages.description else { throw Problem(.notFound) }
        return .response(self.pages.response(to: request, with: file))
    }

    private static let ok = Response.object { writer in writer.member("status", "ok") }
}
