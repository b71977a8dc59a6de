import Foundation
import MicroHTTP
public import ToastAccess
import ToastCore

/// Who is let in, seen from HTTP.
public struct Access: Sendable {
    /// Who knows whom.
    public let authenticator: Authenticator

    /// Whose word about sources is taken.
    let proxies: TrustedProxies

    /// An access.
    public init(authenticator: Authenticator, proxies: TrustedProxies = TrustedProxies()) {
        self.authenticator = authenticator
        self.proxies = proxies
    }

    /// The wall clock: the ends of keys and tokens are set by it.
    ///
    /// It may be set to any time while the server runs.
    static var now: Instant { Instant(clampingWallClock: Date().timeIntervalSince1970) }

    /// Finds out who sent a request.
    ///
    /// - Parameters:
    ///   - request: What was sent.
    ///   - takesTicket: Whether a ticket in the query counts: for streams, which browsers open without header fields.
    /// - Returns: Who it was, from where, and whom it is counted for.
    /// - Throws: Why what the request shows does not let its sender in.
    func visitor(of request: Request, takesTicket: Bool = false) throws(Problem) -> Caller {
        let credential = request.credential(takesTicket: takesTicket, isSecure: self.proxies.isSecure(request))
        let source = self.proxies.source(of: request)?.source ?? .unknown
        let principal: Principal
        do throws(Refusal) {
            principal = try self.authenticator.principal(
                showing: credential,
                from: source,
                at: Self.now
            )
        } catch {
            throw Problem(from: error)
        }
        let isProgram = if case .bearer = credential { true } else { false }
        return Caller(principal, from: source, isProgram: isProgram)
    }
}

extension Principal {
    /// Makes sure of a right on a channel.
    func need(_ scope: Scope, on channel: ChannelName) throws(Problem) {
        guard self.may(scope, on: channel) else { throw Problem(lacking: scope, self) }
    }

    /// Makes sure of a right on all channels.
    func needEverywhere(_ scope: Scope) throws(Problem) {
        guard self.mayEverywhere(scope) else { throw Problem(lacking: scope, self) }
    }
}

extension Request {
    /// What the request shows of who sent it.
    ///
    /// A header field counts before a ticket, and that before a cookie, which browsers add by themselves.
    ///
    /// - Parameters:
    ///   - takesTicket: Whether a ticket in the query counts.
    ///   - isSecure: Whether the client speaks TLS. Only the cookie counts then that browsers take from nobody but this host
    ///     over TLS (RFC 6265bis §4.1.3.2): the other one may be a neighbour's, who set it for a whole domain.
    /// - Returns: What it shows.
    func credential(takesTicket: Bool, isSecure: @autoclosure () -> Bool) -> Credential {
        if let authorization = self.headers["authorization"] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            // Another scheme shows something that nobody here knows.
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return .bearer("") }
            return .bearer(String(parts[1]))
        }
        if takesTicket, let ticket = self.target.value("ticket") { return .ticket(ticket) }
        guard self.headers.count(of: "cookie") > 0 else { return .none }
        return self.cookie(Self.sessionCookie(isSecure: isSecure())).map(Credential.session) ?? .none
    }

    /// The name of the cookie that holds a session.
    static func sessionCookie(isSecure: Bool) -> String {
        isSecure ? "__Host-toastd" : "toastd"
    }

    /// The value of a cookie (RFC 6265 §5.4).
    func cookie(_ name: String) -> String? {
        guard let line = self.headers["cookie"] else { return nil }
        for pair in line.split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0].filter({ $0 != " " }) == name { return String(halves[1]) }
        }
        return nil
    }
}

extension Problem {
    /// Someone who is not let in.
    init(from refusal: Refusal) {
        switch refusal {
        case .invalid:
            self.init(.credentialsInvalid)
            self.headers = [("WWW-Authenticate", #"Bearer realm="toastd", error="invalid_token""#)]
        case .tooManyAttempts(let wait):
            self.init(.tooManyAttempts)
            self.retry(after: Int(wait.seconds.rounded(.up)))
        case .full:
            self.init(.tooManySessions)
            self.retry(after: 30)
        }
    }

    /// Someone who lacks a right (RFC 6750 §3.1).
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
}
