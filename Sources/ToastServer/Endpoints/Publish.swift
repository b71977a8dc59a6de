import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The longest time that a publisher may wait for its toast's end, in seconds.
    private static let longestWait = 3600

    /// Answers `POST /v1/channels/{channel}/toasts`.
    func publish(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        let plain = try self.order(request, visitor)
        let order =
            plain.sent.hasAppearances
            ? plain.warning(try await self.warnings(of: plain.sent.appearances, in: plain.channel)) : plain
        let outcome: Publication
        do throws(ChannelError) {
            outcome = try await self.hub.publish(order.sent.drafts, on: order.channel, as: order.idempotent) {
                API.record(order.answer.response(Acceptance(toasts: $0, isNew: $1)))
            }
        } catch {
            throw await self.problem(error, in: order.channel)
        }
        let (response, awaited) = try order.conclude(outcome)
        guard awaited.isEmpty else {
            return await self.waitForEnd(of: awaited, order, request, visitor, otherwise: response)
        }
        guard order.wait != nil, let id = Self.toastWithoutBody(response) else { return .response(response) }
        let toast = try await self.toast(id, in: order.channel)
        return await self.waitForEnd(of: [toast].compactMap(\.self), order, request, visitor, otherwise: response)
    }

    /// The toast that a repeated answer without a body is about; nil when it is about none, or several.
    private static func toastWithoutBody(_ response: Response) -> ToastID? {
        guard response.body.isEmpty else { return nil }
        let location = response.headers.first { $0.name == "Location" }?.value
        return location?.split(separator: "/").last.flatMap { ToastID(String($0)) }
    }

    /// Reads a request to publish to one channel.
    @inline(never)
    private func order(_ request: Request, _ visitor: Visitor) throws(Problem) -> PublishOrder {
        let name = try request.channel()
        let sent = try self.publication(request, of: visitor)
        let preferences = Preferences(request)
        return PublishOrder(
            channel: name,
            sent: sent,
            idempotent: try self.idempotentRequest(request),
            wait: preferences.wait,
            answer: PublicationAnswer(
                isBatch: sent.isBatch,
                isMinimal: preferences.isMinimal,
                reader: Reader(request, self.hub.catalogs)
            )
        )
    }

    /// Answers `POST /v1/toasts`.
    func publishToMany(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        let (channels, draft) = try self.broadcast(request, of: visitor)
        let idempotent = try self.idempotentRequest(request)
        var results: [(channel: ChannelName, result: Result<Published, Problem>)] = []
        for name in channels {
            do throws(Problem) {
                try visitor.principal.need(.publish, on: name)
                results.append((name, .success(try await self.publish(draft, to: name, as: idempotent))))
            } catch {
                results.append((name, .failure(error)))
            }
        }
        let reader = Reader(request, self.hub.catalogs)
        let isMixed = results.contains { if case .failure = $0.result { true } else { false } }
        return .response(
            .json(isMixed ? 207 : 201) { writer in
                writer.object { writer in
                    writer.name("results")
                    writer.array { writer in for result in results { Self.write(result, for: reader, to: &writer) } }
                }
            }
        )
    }

    private func publish(
        _ draft: ToastDraft,
        to name: ChannelName,
        as request: IdempotentRequest?
    ) async throws(Problem) -> Published {
        let warnings = try await self.warnings(of: [("/toast", draft.details.appearance)], in: name)
        let publication: Publication
        do throws(ChannelError) {
            publication = try await self.hub.publish([draft], on: name, as: request) { toasts, isNew in
                toasts.first.map { Published(toast: $0, isNew: isNew).record } ?? []
            }
        } catch {
            throw await self.problem(error, in: name)
        }
        let published: Published? =
            switch publication {
            case .accepted(let accepted): accepted.toasts.first.map { Published(toast: $0, isNew: accepted.isNew) }
            case .repeated(let record): Published(record: record)
            }
        guard var published else { throw Problem(.internalError) }
        published.warnings = warnings
        return published
    }

    private static func write(
        _ result: (channel: ChannelName, result: Result<Published, Problem>),
        for reader: Reader,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("channel", result.channel)
            switch result.result {
            case .success(let published):
                writer.member("status", published.isNew ? 201 : 200)
                writer.member("toast", reader.toast(published.toast))
                writer.warnings(published.warnings)
            case .failure(let problem):
                writer.member("status", problem.type.status)
                writer.name("problem")
                problem.write(to: &writer)
            }
        }
    }

    /// Answers when the toast is dismissed, or with how it stands when the time is up.
    ///
    /// The toast is stored, so when it cannot be waited for, the answer is that of a publisher who does not wait.
    @inline(never)
    private func waitForEnd(
        of awaited: [Toast],
        _ order: PublishOrder,
        _ request: Request,
        _ visitor: Visitor,
        otherwise response: Response
    ) async -> Reply {
        guard let toast = awaited.first, let wait = order.wait else { return .response(response) }
        let (seconds, reader) = (min(wait, Self.longestWait), order.answer.reader)
        do throws(StreamError) {
            let ticket = try await self.fanout.openOutcome(
                of: toast.id,
                in: toast.channel,
                for: visitor,
                wait: Interval(seconds: Double(seconds)),
                name: request.name
            ) { end, isLast in
                let toast = end ?? toast
                let response = reader.response(toast, status: toast.state == .dismissed ? 200 : 202)
                    .adding("Location", toast.location)
                    .adding("Preference-Applied", "wait=\(seconds)")
                    .adding("X-Request-Id", request.name)
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
    let answer: PublicationAnswer

    init(
        channel: ChannelName,
        sent: Sent,
        idempotent: IdempotentRequest?,
        wait: Int?,
        answer: PublicationAnswer
    ) {
        self.channel = channel
        self.sent = sent
        self.idempotent = idempotent
        self.wait = wait
        self.answer = answer
    }

    /// The same order, whose sender is told what is hard to see.
    func warning(_ warnings: [ContrastWarning]) -> PublishOrder {
        var answer = self.answer
        answer.warnings = warnings
        return PublishOrder(
            channel: self.channel,
            sent: self.sent,
            idempotent: self.idempotent,
            wait: self.wait,
            answer: answer
        )
    }

    /// What is answered when the toasts are stored.
    ///
    /// - Returns: The answer, and the toast whose end to wait for first; none when its sender does not wait. It is in an
    ///   array because a toast is large, and whoever awaits something pays for the size of what it keeps.
    @inline(never)
    func conclude(_ outcome: Publication) throws(Problem) -> (response: Response, awaited: [Toast]) {
        switch outcome {
        case .repeated(let record):
            let response = try API.replay(record)
            // Whoever asks a person again, because the connection was lost, waits for the same answer.
            return (response, self.wait == nil ? [] : Self.toast(in: response).map { [$0] } ?? [])
        case .accepted(let accepted):
            let response = self.answer.response(accepted)
            return (response, self.wait == nil || self.sent.isBatch ? [] : Array(accepted.toasts.prefix(1)))
        }
    }

    /// The one toast of an answer; nil when it has none, or several.
    private static func toast(in response: Response) -> Toast? {
        guard let json = try? JSON(parsing: response.body, depthLimit: 32) else { return nil }
        return try? Toast(json: json)
    }
}

/// What became of a toast in one of several channels.
private struct Published {
    let toast: Toast
    /// Whether it is a new one; if not, it was there already.
    let isNew: Bool
    /// What is hard to see about it there.
    var warnings: [ContrastWarning] = []

    init(toast: Toast, isNew: Bool) {
        self.toast = toast
        self.isNew = isNew
    }

    /// Reads what was kept for a repetition; nil when it makes no sense.
    init?(record: [UInt8]) {
        guard let json = try? JSON(parsing: record, depthLimit: 32), let toast = try? Toast(json: json["toast"] ?? json)
        else { return nil }
        self.init(toast: toast, isNew: json["isNew"] != false)
    }

    /// What is kept for a repetition.
    var record: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("isNew", self.isNew)
            writer.member("toast", self.toast)
        }
        return writer.bytes
    }
}
