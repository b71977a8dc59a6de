import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The detail of a problem for a publisher that waits, when the end of its toast is unknown.
    private static let forgotten = "The toast was published and has ended. Its channel was deleted or has forgotten it."

    /// The longest time to wait for a toast's end, in seconds.
    static let longestWait = 3600

    /// Replies to a request to read a toast: at once, or with `Prefer: wait=N` when it is dismissed or the time is up.
    func reply(with toast: Toast, to request: Request, _ caller: Caller) async -> Reply {
        let reader = ResponseLocale(request, caller.principal, self.hub)
        // HEAD does not wait.
        let wait = request.method == .head ? nil : Preferences(request).wait.map { min($0, Self.longestWait) }
        @Sendable func response(_ toast: Toast) -> Response {
            let response = reader.response(toast)
            return wait.map { response.adding("Preference-Applied", "wait=\($0)") } ?? response
        }
        guard let wait, toast.state != .dismissed else {
            let tag = reader.entityTag(of: toast)
            return .response(request.hasMatch(tag) ? reader.marking(.notModified(tag), [toast]) : response(toast))
        }
        return await self.waitForEnd(of: toast, wait, request, caller, otherwise: response(toast), response)
    }

    /// Waits for the end of a toast that is not dismissed yet.
    ///
    /// Replies when it is dismissed, or after `seconds` with the toast as it then is; if its channel was deleted before
    /// the wait began, with `toast-not-found`. With `withdraws`, the toast is dismissed when the caller's connection is
    /// lost. `other` is the response when waiting is not possible.
    @inline(never)
    func waitForEnd(
        of toast: Toast,
        _ seconds: Int,
        withdraws: Bool = false,
        _ request: Request,
        _ caller: Caller,
        otherwise other: Response,
        _ response: @escaping @Sendable (Toast) -> Response
    ) async -> Reply {
        do throws(StreamError) {
            let stream = try await self.fanout.openOutcome(
                of: toast.id,
                in: toast.channel,
                for: caller,
                wait: Interval(seconds: Double(seconds)),
                withdraws: withdraws,
                requestID: request.id
            ) { awaited, closesConnection in
                let answer =
                    switch awaited {
                    case .known(let toast): response(toast)
                    case .forgotten: Problem(.toastNotFound, Self.forgotten).response(to: request)
                    case .unavailable: response(toast)
                    }
                return self.lateAnswer(answer, to: request, closesConnection: closesConnection)
            }
            return stream.reply(otherwise: other)
        } catch {
            return .response(other)
        }
    }

    /// The bytes of a whole response that is sent on a detached connection.
    func lateAnswer(_ response: Response, to request: Request, closesConnection: Bool) -> Frame {
        let response = response.adding("X-Request-Id", request.id)
        return Frame(self.withCommonFields(response, for: request).serialized(closesConnection: closesConnection))
    }
}
