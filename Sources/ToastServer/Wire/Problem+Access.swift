import ToastAccess
import ToastCore

extension Problem {
    /// A credential that was refused.
    init(from error: AuthenticationError) {
        switch error {
        case .invalid:
            self.init(.credentialsInvalid)
            self.headers = [("WWW-Authenticate", #"Bearer realm="toastd", error="invalid_token""#)]
        case .tooManyAttempts(let wait):
            self.init(.tooManyAttempts, retryAfter: Int(wait.seconds.rounded(.up)))
        case .full: self.init(.tooManySessions, retryAfter: 30)
        case .tooManyPermissions:
            self.init(.notPermitted, "The permissions name too many channels for a session or a ticket: use fewer.")
        case .undecided(let error): self.init(from: error)
        }
    }

    /// A caller that lacks a scope (RFC 6750 §3.1).
    init(lacking scope: Scope, _ caller: Principal) {
        if caller.isAnonymous {
            self.init(.credentialsRequired, "This needs the scope \(scope.rawValue).")
            self.headers = [("WWW-Authenticate", #"Bearer realm="toastd""#)]
        } else {
            self.init(.notPermitted, "This needs the scope \(scope.rawValue) here.")
            let challenge = #"Bearer realm="toastd", error="insufficient_scope", scope="\#(scope.rawValue)""#
            self.headers = [("WWW-Authenticate", challenge)]
        }
    }

    /// Sets when to try again (RFC 9110 §10.2.3): as a field, and as a member because WebSockets have no fields.
    mutating func retry(after seconds: Int) {
        self.retryAfter = seconds
        self.headers.append(("Retry-After", String(seconds)))
    }
}
