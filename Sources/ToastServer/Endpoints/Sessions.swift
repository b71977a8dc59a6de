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
        let now = Instant.wallClock
        return .object { writer in
            writer.member("principal", principal.name)
            writer.member("keyName", self.access.authenticator.keyName(of: principal))
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
        let response = Response(status: 204).adding("Cache-Control", "no-store")
        return .response(response.adding("Set-Cookie", self.cookie("", seconds: 0, request)))
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
        func list<Value: RawRepresentable<String>>(_ name: String, upTo limit: Int, _ expected: String) -> [Value]? {
            guard let member = json[name] else { return nil }
            let items = member.array ?? []
            let values = items.compactMap { $0.string.flatMap(Value.init(rawValue:)) }
            if values.isEmpty || values.count < items.count || values.count > limit {
                issues.append(ValidationIssue(pointer: "/\(name)", detail: "A list of \(expected) is expected."))
            }
            return values
        }
        let words = Scope.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let scopes: [Scope]? = list("scopes", upTo: .max, "some of \(words)")
        let channels: [ChannelName]? = list("channels", upTo: 128, "1 to 128 channel names")
        guard json.object != nil, issues.isEmpty else { throw Problem(.invalidCommand, issues) }
        return (Set(scopes ?? Scope.allCases), channels)
    }
}
