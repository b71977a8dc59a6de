import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `POST /v1/channels/{channel}/toasts`.
    func publish(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let order = try self.order(request, caller)
        if !order.needsNoWarnings { try await self.addWarnings(to: order) }
        let outcome = try await self.perform(order.request, on: order.channel, for: caller.principal)
        if order.preferences.wait != nil { return try await self.replyAfterEnd(of: outcome, order, request, caller) }
        return .response(try order.response(to: outcome).response)
    }

    /// Replies to a publisher that waits: when its toast has ended, or with its current state when the time is up.
    @inline(never)
    private func replyAfterEnd(
        of outcome: ChannelAnswer,
        _ order: PublishOrder,
        _ request: Request,
        _ caller: Caller
    ) async throws(Problem) -> Reply {
        let (stored, awaited) = try order.response(to: outcome)
        var toast = awaited.first
        // A publisher that repeats its question after a lost connection waits for the end of the same toast.
        if toast == nil, let id = outcome.repeatedToast ?? Self.toast(of: stored) {
            toast = try await self.toast(id, in: order.channel)
        }
        guard let toast, let wait = order.preferences.wait else { return .response(stored) }
        let (seconds, reader) = (min(wait, Self.longestWait), order.answer.reader)
        let (isNew, warnings) = (stored.status == 201, order.answer.form.warnings)
        let isRepeated = stored.headers.contains { $0.name == API.replayField }
        // A publish that made no new toast does not withdraw the toast of another publish.
        let withdraws = order.preferences.withdraws && isNew
        @Sendable func response(_ toast: Toast) -> Response {
            let status = toast.state == .dismissed ? 200 : 202
            let response = reader.response(toast, isNew: isNew, status: status, warnings: warnings)
                .adding("Location", toast.location)
                .adding("Preference-Applied", "wait=\(seconds)" + (withdraws ? ", withdraw" : ""))
            return isRepeated ? response.adding(API.replayField, "true") : response
        }
        guard toast.state != .dismissed else { return .response(response(toast)) }
        return await self.waitForEnd(
            of: toast,
            seconds,
            withdraws: withdraws,
            request,
            caller,
            otherwise: stored,
            response
        )
    }

    /// The toast that a repeated answer is about; nil when it is not about one toast.
    private static func toast(of response: Response) -> ToastID? {
        let location = response.headers.first { $0.name == "Location" }?.value
        return location?.split(separator: "/").last.flatMap { ToastID(String($0)) }
    }

    /// Reads a request to publish to one channel.
    @inline(never)
    private func order(_ request: Request, _ caller: Caller) throws(Problem) -> PublishOrder {
        let name = try request.channel()
        let mediaType = request.mediaType
        var body =
            request.carriesCloudEvents(as: mediaType)
            ? try self.cloudEvents(in: request, of: caller)
            : try self.publishBody(of: request, as: mediaType, by: caller)
        if !request.target.query.isEmpty { body.warnings = self.warnings(ofQuery: request) + body.warnings }
        let preferences = Preferences(request)
        var form = AnswerForm()
        (form.shape, form.isMinimal) = (body.isBatch ? .batch : .toast, preferences.isMinimal)
        return PublishOrder(
            channel: name,
            body: body,
            idempotent: try self.idempotentRequest(request, of: caller) ?? body.repetition,
            preferences: preferences,
            answer: PublicationAnswer(form, ResponseLocale(request, caller.principal, self.hub))
        )
    }

    /// Answers `POST /v1/toasts`.
    func publishToMany(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let (channels, draft, found) = try self.broadcast(request, of: caller)
        var idempotent = try self.idempotentRequest(request, of: caller)
        idempotent?.form.shape = .share
        let reader = ResponseLocale(request, caller.principal, self.hub)
        let warnings = Array(
            (found + self.warnings(ofStyle: draft.style, at: "/toast")).prefix(ValidationError.maximumIssues)
        )
        // Concurrently: the channels may belong to several nodes, one of which may answer slowly.
        let results = await withTaskGroup { group in
            for name in channels {
                group.addTask { [idempotent] in
                    (name, await self.share(draft, with: name, under: idempotent, for: caller))
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let ordered = channels.compactMap { name in results[name].map { (channel: name, result: $0) } }
        let distribution = Distribution(reader: reader, warnings: warnings, results: ordered)
        if let problem = distribution.commonProblem { throw problem }
        return .response(distribution.response)
    }

    private func share(
        _ draft: ToastDraft,
        with name: ChannelName,
        under key: IdempotentRequest?,
        for caller: Caller
    ) async -> Result<SharedToast, Problem> {
        do throws(Problem) {
            try caller.principal.need(.publish, on: name)
            var members = ConditionalMembers(draft, at: "/toast")
            // `publishToMany` adds the warning about the style once for all channels.
            members.style = nil
            let warnings = try await self.warnings(of: [members], in: name)
            let request = ChannelRequest.publish(PublishRequest([draft], key: key))
            let answer = try await self.perform(request, on: name, for: caller.principal)
            let shared: SharedToast? =
                switch answer {
                case .published(let publication): SharedToast(publication)
                case .repeated(let repetition): SharedToast(repeated: repetition.answer)
                default: nil
                }
            guard var shared else { throw answer.fault }
            shared.warnings = warnings
            return .success(shared)
        } catch {
            return .failure(error)
        }
    }
}

/// A request to publish to one channel, as it was read.
///
/// A class, because each async frame that keeps a struct has a copy of it.
final class PublishOrder {
    let channel: ChannelName
    let body: PublishBody
    let idempotent: IdempotentRequest?
    let preferences: Preferences
    var answer: PublicationAnswer

    init(
        channel: ChannelName,
        body: PublishBody,
        idempotent: IdempotentRequest?,
        preferences: Preferences,
        answer: PublicationAnswer
    ) {
        self.channel = channel
        self.body = body
        self.idempotent = idempotent
        self.preferences = preferences
        self.answer = answer
    }

    /// Whether nothing in the body can need a warning.
    ///
    /// Never inlined, to keep a copy of the body out of the frame of `publish`.
    @inline(never)
    var needsNoWarnings: Bool { self.body.needsNoWarnings }

    @inline(never)
    var request: ChannelRequest {
        var key = self.idempotent
        key?.form = self.answer.form
        return .publish(PublishRequest(self.body.drafts, key: key))
    }

    /// The response to an outcome of the channel, with what the publisher has to wait for.
    ///
    /// - Returns: The response, and the toast whose end the publisher waits for. The array has at most one toast, and
    ///   none when the publisher does not wait; an optional toast would enlarge each async frame that keeps it.
    @inline(never)
    func response(to outcome: ChannelAnswer) throws(Problem) -> (response: Response, awaited: [Toast]) {
        let isAwaited = self.preferences.wait != nil && !self.body.isBatch
        switch outcome {
        case .repeated(let repetition):
            let response = try API.replay(
                repetition.answer,
                to: self.answer.reader.principal,
                in: self.channel,
                isBatch: self.body.isBatch
            )
            // The outcome is stored with the key, so it is known even after the channel has forgotten the toast.
            return (response, isAwaited ? [repetition.outcome].compactMap(\.self) : [])
        case .published(let publication):
            return (self.answer.response(publication), isAwaited ? Array(publication.toasts.prefix(1)) : [])
        default:
            throw outcome.fault
        }
    }
}

extension ChannelAnswer {
    /// The toast that a repeated publish is about; nil when there are several, or the answer is no repetition.
    fileprivate var repeatedToast: ToastID? {
        if case .repeated(let repetition) = self { repetition.toast } else { nil }
    }
}
