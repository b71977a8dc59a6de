import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers a request to read a toast: at once, or with `Prefer: wait=N` when it is dismissed or the time is up.
    ///
    /// When it cannot be waited for, the answer is that of a reader who does not wait.
    func reply(with toast: Toast, to request: Request, _ visitor: Caller) async -> Reply {
        let reader = ResponseLocale(request, visitor.principal, self.hub)
        let wait = Preferences(request).wait.map { min($0, Self.longestWait) }
        @Sendable func answer(_ toast: Toast) -> Response {
            let response = reader.response(toast)
            return wait.map { response.adding("Preference-Applied", "wait=\($0)") } ?? response
        }
        guard let wait, toast.state != .dismissed, request.method != .head else {
            let tag = reader.entityTag(of: toast)
            return .response(request.hasMatch(tag) ? reader.marking(.notModified(tag), [toast]) : answer(toast))
        }
        do throws(StreamError) {
            let ticket = try await self.fanout.openOutcome(
                of: toast.id,
                in: toast.channel,
                for: visitor,
                wait: Interval(seconds: Double(wait)),
                name: request.name
            ) { end, isLast in
                let response = answer(end ?? toast).adding("X-Request-Id", request.name)
                return Frame(self.dressed(response, for: request).serialized(isLast: isLast))
            }
            return ticket.reply(otherwise: answer(toast))
        } catch {
            return .response(answer(toast))
        }
    }
}
