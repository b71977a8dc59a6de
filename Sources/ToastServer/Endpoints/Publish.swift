import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The longest time that a publisher may wait for its toast's end, in seconds.
    static let longestWait = 3600

    /// Answers `POST /v1/channels/{channel}/toasts`.
    func publish(_ request: Request, _ visitor: Caller) async throws(Problem) -> Reply {
        let plain = try self.order(request, visitor)
        let order =
            plain.sent.isPlain ? plain : plain.warning(try await self.warnings(of: plain.sent, in: plain.channel))
        let outcome: ChannelAnswer
        do throws(ChannelError) {
            outcome = try await self.hub.perform(.publish(order.request), on: order.channel)
        } catch {
            throw await self.problem(error, in: order.channel, for: visitor.principal)
        }
        let (response, awaited) = try order.conclude(outcome)
        guard awaited.isEmpty else {
            return await self.waitForEnd(of: awaited, order, request, visitor, otherwise: response)
        }
        // One who asks a person again, because the connection was lost, waits for the same answer.
        guard order.wait != nil, let id = outcome.repeatedToast ?? Self.toast(of: response) else {
            return .response(response)
        }
        let toast = try await self.toast(id, in: order.channel)
        return await self.waitForEnd(of: [toast].compactMap(\.self), order, request, visitor, otherwise: response)
    }

    /// The toast that a repeated answer is about; nil when it is about several.
    private static func toast(of response: Response) -> ToastID? {
        let location = response.headers.first { $0.name == "Location" }?.value
        return location?.split(separator: "/").last.flatMap { ToastID(String($0)) }
    }

    /// Reads a request to publish to one channel.
    @inline(never)
    private func order(_ request: Request, _ visitor: Caller) throws(Problem) -> PublishOrder {
        let name = try request.channel()
        var sent = try self.publication(request, of: visitor)
        if !request.target.query.isEmpty { sent.warnings = self.warnings(ofQuery: request) + sent.warnings }
        let preferences = Preferences(request)
        return PublishOrder(
            channel: name,
            sent: sent,
            idempotent: try self.idempotentRequest(request, of: visitor),
            wait: preferences.wait,
            withdraws: preferences.withdraws,
            answer: PublicationAnswer(
                isBatch: sent.isBatch,
                isMinimal: preferences.isMinimal,
                reader: ResponseLocale(request, visitor.principal, self.hub)
            )
        )
    }

    /// Answers `POST /v1/toasts`.
    func publishToMany(_ request: Request, _ visitor: Caller) async throws(Problem) -> Reply {
        let (channels, draft, found) = try self.broadcast(request, of: visitor)
        let idempotent = try self.idempotentRequest(request, of: visitor)
        let reader = ResponseLocale(request, visitor.principal, self.hub)
        let warnings = Array(
            (found + self.warnings(ofStyle: draft.style, at: "/toast")).prefix(ValidationError.maximumIssues)
        )
        var distribution = Distribution(reader: reader, warnings: warnings)
        for name in channels {
            do throws(Problem) {
                try visitor.principal.need(.publish, on: name)
                distribution.add(try await self.publish(draft, to: name, under: idempotent, for: visitor), to: name)
            } catch {
                distribution.add(error, of: name)
            }
        }
        if let problem = distribution.commonProblem { throw problem }
        return .response(distribution.response)
    }

    private func publish(
        _ draft: ToastDraft,
        to name: ChannelName,
        under key: IdempotentRequest?,
        for visitor: Caller
    ) async throws(Problem) -> SharedToast {
        let wishes = ToastWishes(appearance: draft.appearance, isNamed: draft.reuseIdentifier != nil, at: "/toast")
        let warnings = try await self.warnings(of: [wishes], in: name)
        var form = AnswerForm()
        form.shape = .share
        let answer: ChannelAnswer
        do throws(ChannelError) {
            answer = try await self.hub.perform(.publish(PublishRequest([draft], key: key, form: form)), on: name)
        } catch {
            throw await self.problem(error, in: name, for: visitor.principal)
        }
        let shared: SharedToast? =
            switch answer {
            case .published(let publication): SharedToast(publication)
            case .repeated(let repetition): SharedToast(repeated: repetition.answer)
            default: nil
            }
        guard var shared else { throw answer.fault }
        shared.warnings = warnings
        return shared
    }

    /// Answers when the toast is dismissed, or with how it stands when the time is up.
    ///
    /// The toast is stored, so when it cannot be waited for, the answer is that of a publisher who does not wait.
    @inline(never)
    private func waitForEnd(
        of awaited: [Toast],
        _ order: PublishOrder,
        _ request: Request,
        _ visitor: Caller,
        otherwise response: Response
    ) async -> Reply {
        guard let toast = awaited.first, let wait = order.wait else { return .response(response) }
        let (seconds, reader) = (min(wait, Self.longestWait), order.answer.reader)
        let (isNew, warnings) = (response.status == 201, order.answer.warnings)
        let isRepeated = response.headers.contains { $0.name == API.replayField }
        // What others have posted is not taken back by one who posted the same.
        let withdraws = order.withdraws && isNew
        @Sendable func answer(_ toast: Toast) -> Response {
            let status = toast.state == .dismissed ? 200 : 202
            let response = reader.response(toast, isNew: isNew, status: status, warnings: warnings)
                .adding("Location", toast.location)
                .adding("Preference-Applied", "wait=\(seconds)" + (withdraws ? ", withdraw" : ""))
            return isRepeated ? response.adding(API.replayField, "true") : response
        }
        // One whose answer is known already waits for nothing.
        guard toast.state != .dismissed else { return .response(answer(toast)) }
        do throws(StreamError) {
            let ticket = try await self.fanout.openOutcome(
                of: toast.id,
                in: toast.channel,
                for: visitor,
                wait: Interval(seconds: Double(seconds)),
                withdraws: withdraws,
                name: request.name
            ) { end, isLast in
                let response = answer(end ?? toast).adding("X-Request-Id", request.name)
                return Frame(self.dressed(response, for: request).serialized(isLast: isLast))
            }
            return ticket.reply(otherwise: response)
        } catch {
            return .response(response)
        }
    }
}

/// A request to publish to one channel, as it was read.
///
/// An object: whoever awaits something pays for the size of what it keeps.
final class PublishOrder: Sendable {
    let channel: ChannelName
    let sent: Sent
    let idempotent: IdempotentRequest?
    /// How long to wait for the toast's end, in seconds; nil when not at all.
    let wait: Int?
    /// Whether the toast goes with the connection of who waits for its end.
    let withdraws: Bool
    let answer: PublicationAnswer

    init(
        channel: ChannelName,
        sent: Sent,
        idempotent: IdempotentRequest?,
        wait: Int?,
        withdraws: Bool,
        answer: PublicationAnswer
    ) {
        self.channel = channel
        self.sent = sent
        self.idempotent = idempotent
        self.wait = wait
        self.withdraws = withdraws
        self.answer = answer
    }

    /// What the channel is asked to do.
    var request: PublishRequest {
        PublishRequest(self.sent.drafts, key: self.idempotent, form: self.answer.form)
    }

    /// The same order, whose sender is told what does nothing, or is hard to see.
    func warning(_ warnings: [Warning]) -> PublishOrder {
        var answer = self.answer
        answer.warnings = warnings
        return PublishOrder(
            channel: self.channel,
            sent: self.sent,
            idempotent: self.idempotent,
            wait: self.wait,
            withdraws: self.withdraws,
            answer: answer
        )
    }

    /// What is answered when the toasts are stored.
    ///
    /// - Returns: The answer, and the toast whose end to wait for first; none when its sender does not wait. It is in an
    ///   array because a toast is large, and whoever awaits something pays for the size of what it keeps.
    @inline(never)
    func conclude(_ outcome: ChannelAnswer) throws(Problem) -> (response: Response, awaited: [Toast]) {
        switch outcome {
        case .repeated(let repetition):
            let response = try API.replay(
                repetition.answer,
                to: self.answer.reader.principal,
                in: self.channel,
                isBatch: self.sent.isBatch
            )
            // The outcome belongs to the key: it is known though the channel has forgotten the toast.
            let end = self.wait == nil || self.sent.isBatch ? nil : repetition.outcome
            return (response, end.map { [$0] } ?? [])
        case .published(let publication):
            let response = self.answer.response(publication)
            return (response, self.wait == nil || self.sent.isBatch ? [] : Array(publication.toasts.prefix(1)))
        default:
            throw outcome.fault
        }
    }
}

extension ChannelAnswer {
    /// The toast that a repeated request was about, if it was about one.
    fileprivate var repeatedToast: ToastID? {
        if case .repeated(let repetition) = self { repetition.toast } else { nil }
    }
}
