import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

// Posts to hooks: a hook's secret authenticates the sender, and each format has responses of its own.

extension API {
    /// The rules for senders to hooks: a hook's secret is their credential, its format says how they read problems.
    var hookRoute: ForeignRoute {
        ForeignRoute(
            caller: { (request) async throws(Problem) in try await self.hookCaller(of: request) },
            describe: { problem, request in
                guard let hook = self.hook(of: request) else { return problem.response(to: request) }
                return hook.mapping.format.response(to: problem, request)
            }
        )
    }

    /// The path segment that Apprise's own API has in place of a hook's name.
    ///
    /// The secret is the next segment, or the field `X-Apprise-Config-ID`.
    private static let appriseWord = "notify"

    /// The hook whose secret the request has, among those that this node knows.
    private func hook(of request: Request) -> Hook? {
        guard let name = request.parameters["hook"] else { return nil }
        let isApprise = name == Self.appriseWord
        let secret = request.parameters["secret"] ?? (isApprise ? request.headers["x-apprise-config-id"] : nil)
        // Senders that only add a token to a URL, as Apprise does for Mattermost, cannot name the hook.
        guard let secret else { return self.hub.hooks.hook(showing: name) }
        guard let hook = self.hub.hooks.hook(showing: secret) else { return nil }
        return hook.name.rawValue == name || isApprise && hook.mapping.format == .apprise ? hook : nil
    }

    private func hookCaller(of request: Request) async throws(Problem) -> Caller {
        let source = self.access.source(of: request)
        var hook = self.hook(of: request)
        if hook == nil {
            // Another node may have just made it. Before the store is read, the request is counted against the sender's
            // address, as all unauthenticated requests.
            try self.charge(1, .publish, to: Caller(.withoutPermissions, from: source, isProgram: false))
            try await self.refreshHooks()
            hook = self.hook(of: request)
        }
        guard let hook, let pattern = ChannelPattern(rawValue: hook.channel.rawValue) else {
            throw Problem(.hookNotFound)
        }
        let name = "hook:\(hook.channel.rawValue)/\(hook.name.rawValue)"
        let principal = Principal(name: name, grants: [Grant([.publish], on: [pattern])])
        return Caller(principal, from: source, isProgram: true)
    }

    /// Answers `POST /v1/hooks/{hook}/{secret}` and `POST /v1/hooks/{secret}`.
    func postToHook(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        guard let hook = self.hook(of: request) else { throw Problem(.hookNotFound) }
        let toasts: HookToasts
        do throws(FormatError) {
            toasts = try hook.mapping.toasts(of: request.input(self.limits))
        } catch {
            let problem = Problem(from: error)
            guard let response = hook.mapping.format.response(to: error) else { throw problem }
            // A thrown problem is counted where it is caught.
            self.meter.count(problem.type)
            return .response(response)
        }
        let warnings = toasts.allWarnings
        let adaptation = try await self.publish(
            toasts.toasts,
            to: hook.channel,
            by: caller,
            warnings: warnings,
            under: toasts.repetitionKey,
            of: request
        )
        return hook.mapping.format.reply(to: request, adaptation, toasts.toasts, warnings)
    }
}

extension HookFormat {
    /// The reply to a message that was published.
    fileprivate func reply(
        to request: Request,
        _ adaptation: API.Adaptation,
        _ toasts: [MappedToast],
        _ warnings: [Warning]
    ) -> Reply {
        switch self {
        // Senders compare this text; if the response is JSON, they look for a member instead.
        case .slack: return .response(.text(200, "ok"))
        case .discord:
            guard request.target.value("wait")?.lowercased() == "true" else { return .noContent }
            return .object { writer in
                writer.member("id", adaptation.ids.first.map(\.description) ?? "")
                writer.member("type", 0)
                writer.member("content", toasts.first?.draft.message?.text ?? "")
                writer.member("channel_id", adaptation.toasts.first?.channel.rawValue ?? "")
                writer.array("embeds") { _ in }
                writer.array("attachments") { _ in }
                writer.member("timestamp", adaptation.toasts.first?.createdAt)
            }
        case .alertmanager, .grafana, .cloudevents, .apprise, .github, .gitlab, .json:
            return .object { writer in
                writer.array("toasts") { writer in for id in adaptation.ids { writer.value(id) } }
                if adaptation.repeated != nil { writer.member("isRepetition", true) }
                writer.warnings(warnings)
            }
        }
    }

    /// The format's own response to a message that it cannot read as a toast; `nil` when it has none.
    fileprivate func response(to error: FormatError) -> Response? {
        guard self == .slack else { return nil }
        switch error {
        case .noText: return .text(400, "no_text")
        case .notJSON, .invalid, .invalidToast: return .text(400, "invalid_payload")
        case .wrongSignature: return nil
        }
    }

    /// The response to a refused message, with a status after which its sender tries again if that can help.
    fileprivate func response(to problem: Problem, _ request: Request) -> Response {
        let isOverload = problem.type.status == 429
        // A retry may succeed: a conflict, such as with a toast on screen, does not last.
        let mayPass = isOverload || problem.type.status == 409
        switch self {
        case .slack:
            let words = isOverload ? "rate_limited" : problem.type.status >= 500 ? "server_error" : "action_prohibited"
            return Response.text(problem.type.status, words).adding(problem.headers)
        case .discord where isOverload:
            // Discord's clients read the seconds in the body.
            let wait = problem.retryAfter ?? 1
            let response = Response.object(429) { writer in
                writer.member("message", "You are being rate limited.")
                writer.member("retry_after", wait)
                writer.member("global", false)
            }
            return response.adding(problem.headers)
        case .alertmanager where mayPass, .grafana where mayPass:
            // These senders drop a message after 4xx, and try again after 503.
            var problem = problem
            problem.status = 503
            return problem.response(to: request)
        default:
            return problem.response(to: request)
        }
    }
}
