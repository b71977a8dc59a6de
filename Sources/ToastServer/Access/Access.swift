import Foundation
import MicroHTTP
public import ToastAccess
import ToastCore

/// Who is let in, seen from HTTP.
public struct Access: Sendable {
    /// Who knows whom.
    public let gatekeeper: Gatekeeper

    /// Whose word about sources is taken.
    let proxies: TrustedProxies

    /// An access.
    public init(gatekeeper: Gatekeeper, proxies: TrustedProxies = TrustedProxies()) {
        self.gatekeeper = gatekeeper
        self.proxies = proxies
    }

    /// The wall clock: the ends of keys and tokens are set by it.
    static var now: Instant { Instant(nanoseconds: Int64(Date().timeIntervalSince1970 * 1000) * 1_000_000) }

    /// Finds out who sent a request.
    ///
    /// - Parameters:
    ///   - request: What was sent.
    ///   - takesTicket: Whether a ticket in the query counts: for streams, which browsers open without header fields.
    /// - Returns: Who it was, from where, and whom it is counted for.
    /// - Throws: Why what the request shows does not let its sender in.
    func visitor(of request: Request, takesTicket: Bool = false) throws(Problem) -> Visitor {
        let credential = request.credential(takesTicket: takesTicket)
        let address = self.proxies.source(of: request)
        let principal: Principal
        do throws(Refusal) {
            principal = try self.gatekeeper.principal(
                showing: credential,
                from: address?.sourceName ?? "",
                at: Self.now
            )
        } catch {
            throw Problem(from: error)
        }
        let isProgram = if case .bearer = credential { true } else { false }
        return Visitor(principal, from: address?.source ?? .unknown, isProgram: isProgram)
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
    func credential(takesTicket: Bool) -> Credential {
        if let authorization = self.headers["authorization"] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            // Another scheme shows something that nobody here knows.
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return .bearer("") }
            return .bearer(String(parts[1]))
        }
        if takesTicket, let ticket = self.target.value("ticket") { return .ticket(ticket) }
        return (self.cookie("__Host-toastd") ?? self.cookie("toastd")).map(Credential.session) ?? .none
    }

    /// Whether this opens a stream, which browsers do without header fields of their own.
    var opensStream: Bool {
        guard self.method == .get, let last = self.target.path.last else { return false }
        return last == "stream" || last == "poll" || last == "socket"
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
