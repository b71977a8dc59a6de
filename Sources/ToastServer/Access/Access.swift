import CombiningMarks
import MicroHTTP
package import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

/// Authentication of requests: finds the credential in one, and the caller that it belongs to.
package struct Access: Sendable {
    package let authenticator: Authenticator

    /// The proxies whose `Forwarded` fields count.
    let proxies: TrustedProxies

    package init(authenticator: Authenticator, proxies: TrustedProxies = TrustedProxies()) {
        self.authenticator = authenticator
        self.proxies = proxies
    }

    /// Authenticates the sender of a request; a ticket does not count.
    func caller(of request: Request) throws(Problem) -> Caller {
        try self.caller(showing: self.credential(of: request, takesTicket: false), from: self.source(of: request))
    }

    /// Authenticates the sender of a request by a text that replaces the field `Authorization`.
    func caller(of request: Request, authorization: String) throws(Problem) -> Caller {
        try self.caller(showing: Request.credential(authorization: authorization), from: self.source(of: request))
    }

    /// The source that a request is counted against; `unknown` when a trusted proxy gives no valid address.
    func source(of request: Request) -> Source { self.proxies.source(of: request)?.source ?? .unknown }

    private func caller(showing credential: Credential, from source: Source) throws(Problem) -> Caller {
        do throws(AuthenticationError) {
            let principal = try self.authenticator.principal(showing: credential, from: source, at: .wallClock)
            let isProgram = if case .bearer = credential { true } else { false }
            return Caller(principal, from: source, isProgram: isProgram)
        } catch {
            throw Problem(from: error)
        }
    }

    /// Authenticates the sender of a request for a stream; a ticket in the query counts, once.
    @inline(never)
    func streamCaller(of request: Request) async throws(Problem) -> Caller {
        guard case .ticket(let ticket) = self.credential(of: request, takesTicket: true) else {
            return try self.caller(of: request)
        }
        let source = self.source(of: request)
        do throws(AuthenticationError) {
            let principal = try await self.authenticator.redeemTicket(ticket, from: source, at: .wallClock)
            return Caller(principal, from: source, isProgram: false)
        } catch {
            throw Problem(from: error)
        }
    }

    /// The credential that a request shows: the header field, or a ticket in the query if it counts, or a cookie.
    ///
    /// The cookie is last because browsers add it unasked. If the client speaks TLS, only the `__Host-` cookie counts,
    /// which browsers accept from this host alone and over TLS (RFC 6265bis §4.1.3.2): another host of the domain may
    /// have set the other one.
    func credential(of request: Request, takesTicket: Bool) -> Credential {
        if let authorization = request.headers["authorization"] {
            return Request.credential(authorization: authorization)
        }
        if takesTicket, let ticket = request.target.value("ticket") { return .ticket(ticket) }
        guard request.headers.count(of: "cookie") > 0 else { return .none }
        let name = Request.sessionCookie(isSecure: self.proxies.isSecure(request))
        return request.cookie(name).map(Credential.session) ?? .none
    }
}

extension Principal {
    func need(_ scope: Scope, on channel: ChannelName) throws(Problem) {
        guard self.may(scope, on: channel) else { throw Problem(lacking: scope, self) }
    }

    func needEverywhere(_ scope: Scope) throws(Problem) {
        guard self.mayEverywhere(scope) else { throw Problem(lacking: scope, self) }
    }
}

extension Request {
    /// The credential in the field `Authorization`, for routes that accept no other.
    var credential: Credential { self.headers["authorization"].map(Self.credential) ?? .none }

    /// The credential that a value of the field `Authorization` shows.
    static func credential(authorization: String) -> Credential {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return .bearer("") }
        // RFC 9110 §11.4: one blank or several.
        let rest = parts[1].drop { $0 == " " }
        switch parts[0].lowercased() {
        case "bearer": return .bearer(String(rest))
        case "basic": return .bearer(Self.password(in: String(rest)) ?? "")
        // An empty key is never valid: no other scheme is accepted.
        default: return .bearer("")
        }
    }

    /// The key in credentials of the scheme Basic (RFC 7617): the password, or the name when there is no password.
    ///
    /// Many senders support no other scheme. A name beside a password is ignored: the key alone identifies the caller.
    private static func password(in text: String) -> String? {
        guard text.utf8.count <= 65_536, let bytes = Array(text.utf8).decodedBase64,
            let pair = String(received: bytes), let colon = pair.firstIndex(of: ":")
        else { return nil }
        let password = pair[pair.index(after: colon)...]
        return String(password.isEmpty ? pair[..<colon] : password)
    }

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
