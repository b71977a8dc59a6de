import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

// Publishing as to Mercure's hub (mercure.rocks/spec, §5).

extension API {
    /// The rules for Mercure's publishers: which tokens they may send, and how they read problems.
    var mercureRoute: ForeignRoute {
        ForeignRoute(
            caller: { (request) async throws(Problem) in
                guard self.mercureToken(of: request) != nil else { return try self.access.caller(of: request) }
                let source = self.access.source(of: request)
                // The topics are in the body, so `publishMercure` checks whether the token names them.
                let publisher = Principal(name: Self.mercurePublisher, grants: [Grant([.publish])])
                return Caller(publisher, from: source, isProgram: true)
            },
            describe: { problem, _ in
                Response.text(problem.type.status, (problem.detail ?? problem.type.title) + "\n")
                    .adding(problem.headers)
            }
        )
    }

    /// The principal of all publishers with a token of Mercure; no key or token of toastd has this name.
    private static let mercurePublisher = "mercure"

    private func mercureToken(of request: Request) -> MercureToken? {
        guard let key = self.adapters.mercureKey, case .bearer(let text) = request.credential else { return nil }
        return MercureToken(text, key: key, at: Instant.wallClock)
    }

    /// Answers `POST /.well-known/mercure`.
    func publishMercure(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let update: MercureUpdate
        do throws(FormatError) {
            update = try MercureUpdate(request.input(self.limits))
        } catch {
            throw Problem(from: error)
        }
        if caller.principal.name == Self.mercurePublisher {
            // The token is read again, and may have expired since.
            guard let token = self.mercureToken(of: request) else { throw Problem(from: AuthenticationError.invalid) }
            // §5: the token has to allow every topic of the update.
            guard update.topics.allSatisfy(token.mayPublish) else {
                throw Problem(.notPermitted, "The token's mercure.publish does not name all topics.")
            }
        }
        let outcome = try await self.publish([update.toast], to: update.channel, by: caller, of: request)
        let id = update.id ?? outcome.ids.first.map { "urn:uuid:\($0)" } ?? ""
        return .response(.text(200, id))
    }
}
