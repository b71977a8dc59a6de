import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /v1/session`: the caller's principal and permissions.
    ///
    /// Every caller gets a response, so that a page can ask for a key only when it needs one.
    func describeSession(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let principal = caller.principal
        let isSession = !principal.isAnonymous && request.headers["authorization"] == nil
        let keyName = self.access.authenticator.keyName(of: principal)
        let now = Instant.wallClock
        return .object { writer in
            writer.member("principal", principal.name)
            if let keyName { writer.member("keyName", keyName) }
            writer.member("session", isSession)
            writer.array("grants") { writer in
                for grant in principal.grants {
                    writer.object { writer in
                        // In the order of their declaration.
                        writer.member("scopes", Scope.allCases.filter(grant.scopes.contains).map(\.rawValue))
                        writer.member("channels", grant.channels.map(\.rawValue))
                    }
                }
            }
            if let end = principal.expires { writer.member("expiresIn", max(0, Int((end - now).seconds))) }
        }
    }
}
