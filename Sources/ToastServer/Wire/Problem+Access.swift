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
        case .tooManyRights:
            self.init(.notPermitted, "The rights are on too many channels for a session or a ticket: use fewer ones.")
        case .undecided(let error): self.init(from: error)
        }
    }

    /// A caller that lacks a right (RFC 6750 §3.1).
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

    /// Says when to try again (RFC 9110 §10.2.3): in a field, and for WebSockets, which have none, as a member.
    mutating func retry(after seconds: Int) {
        self.retryAfter = seconds
        self.headers.append(("Retry-After", String(seconds)))
    }
}
