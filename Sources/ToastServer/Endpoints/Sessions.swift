import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `POST /v1/session`: exchanges a key or a token for a cookie, because the streams of a page cannot send
    /// the field `Authorization`.
    func openSession(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let holder = try Self.bearer(caller, request)
        let now = Instant.wallClock
        let session: (name: String, end: Instant)
        do throws(AuthenticationError) {
            session = try await self.access.authenticator.openSession(for: holder, at: now)
        } catch {
            throw Problem(from: error)
        }
        let seconds = Int((session.end - now).seconds)
        let response = Response.object(201) { $0.member("expiresIn", seconds) }
        return .response(response.adding("Set-Cookie", self.cookie(session.name, seconds: seconds, request)))
    }

    /// Answers `DELETE /v1/session`.
    func closeSession(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let name = Request.sessionCookie(isSecure: self.access.proxies.isSecure(request))
        if let session = request.cookie(name) {
            do throws(AuthenticationError) {
                try await self.access.authenticator.closeSession(session, at: Instant.wallClock)
            } catch {
                throw Problem(from: error)
            }
        }
        return .response(Response(status: 204).adding("Set-Cookie", self.cookie("", seconds: 0, request)))
    }

    /// Answers `POST /v1/tickets`: makes a ticket that opens one stream within half a minute, for pages without
    /// cookies.
    ///
    /// The body may limit channels and scopes; without a body, the ticket has all permissions of its maker.
    func makeTicket(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let maker = try Self.bearer(caller, request)
        let now = Instant.wallClock
        let (scopes, channels) = try self.requestedPermissions(in: request)
        let end = maker.expires ?? now + Authenticator.sessionLength
        let holder = maker.restricted(to: scopes, on: channels, until: end)
        guard !holder.grants.isEmpty else { throw Problem(.notPermitted, "You have none of these permissions.") }
        let ticket: String
        do throws(AuthenticationError) {
            ticket = try self.access.authenticator.issueTicket(for: holder, at: now)
        } catch {
            throw Problem(from: error)
        }
        return .object(201) { writer in
            writer.member("ticket", ticket)
            writer.member("expiresIn", Int(Authenticator.ticketLength.seconds))
        }
    }

    /// The principal of a credential in `Authorization`: a cookie is not enough to open a session or make a ticket.
    private static func bearer(_ caller: Caller, _ request: Request) throws(Problem) -> Principal {
        guard request.headers["authorization"] != nil else {
            var problem = Problem(.credentialsRequired, "Show a key or a token in Authorization.")
            problem.headers = [("WWW-Authenticate", #"Bearer realm="toastd""#)]
            throw problem
        }
        return caller.principal
    }

    private func cookie(_ value: String, seconds: Int, _ request: Request) -> String {
        // RFC 6265bis §4.1.3.2: the prefix makes browsers refuse the cookie from anyone but this host over TLS.
        let isSecure = self.access.proxies.isSecure(request)
        let (name, security) = (Request.sessionCookie(isSecure: isSecure), isSecure ? "; Secure" : "")
        return "\(name)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict\(security)"
    }

    private func requestedPermissions(in request: Request) throws(Problem) -> (Set<Scope>, [ChannelName]?) {
        guard !request.body.isEmpty else { return (Set(Scope.allCases), nil) }
        let json = try request.json(depth: self.limits.depth)
        var issues: [ValidationIssue] = []
        var scopes = Set(Scope.allCases)
        var channels: [ChannelName]?
        if let member = json["scopes"] {
            let names = member.array?.map { $0.string.flatMap(Scope.init) } ?? [nil]
            scopes = Set(names.compactMap(\.self))
            if names.contains(nil) || names.isEmpty {
                let words = Scope.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                issues.append(ValidationIssue(pointer: "/scopes", detail: "A list of some of \(words) is expected."))
            }
        }
        if let member = json["channels"] {
            let names = member.array?.map { $0.string.flatMap(ChannelName.init) } ?? [nil]
            channels = names.compactMap(\.self)
            if names.contains(nil) || names.isEmpty || names.count > 128 {
                issues.append(
                    ValidationIssue(pointer: "/channels", detail: "A list of 1 to 128 channel names is expected.")
                )
            }
        }
        guard json.object != nil, issues.isEmpty else { throw Problem(.invalidCommand, issues) }
        return (scopes, channels)
    }
}
