import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The time for rates, of the monotonic clock: setting the wall clock makes no caller wait longer.
    var now: Instant { Instant(nanoseconds: EventLoop.now) }

    /// Counts requests, or toasts, against a caller's rate.
    ///
    /// - Throws: `rate-limited`, with the time to wait; then nothing was counted.
    func charge(_ count: Int, _ kind: RateClass, to caller: Caller) throws(Problem) {
        guard count > 0, let wait = self.appliedLimits.rates.take(count, kind, for: caller, at: self.now) else {
            return
        }
        throw Problem(.rateLimited, retryAfter: max(1, Int(wait.seconds.rounded(.up))))
    }

    /// Checks that there is memory for a request that makes channels grow; one that makes them shrink needs none.
    ///
    /// - Throws: `out-of-memory`.
    func checkMemory() throws(Problem) {
        guard !self.hub.isShortOfMemory else { throw .outOfMemory }
    }

    /// Answers a request without a route, to a resource with the `allowed` methods or, if there are none, to nothing.
    ///
    /// The credential was not checked, so a refusal counts as a read of the address that the request comes from.
    func answer(_ request: Request, _ allowed: [Method], on routes: RouteMeters) -> Reply {
        let route = routes.meter(of: request.method)
        let refusal = Problem(from: HTTPError.methodNotAllowed(allowed))
        if request.method == .options, !allowed.isEmpty {
            let response = Response(status: 204).adding(refusal.headers)
            return self.observe(.response(response), nil, to: request, on: route, by: nil, since: nil)
        }
        var problem = allowed.isEmpty ? self.hint(about: request) ?? Problem(.notFound) : refusal
        let caller = Caller(.withoutPermissions, from: self.access.source(of: request), isProgram: false)
        do throws(Problem) { try self.charge(1, .read, to: caller) } catch { problem = error }
        self.meter.count(problem.type)
        let response = problem.response(to: request)
        return self.observe(.response(response), problem.type, to: request, on: route, by: nil, since: nil)
    }

    /// Charges a long response to the memory budget for bytes that peers have not read yet.
    ///
    /// Only for GET, because a client must get the response to a change. Probes and files are not charged.
    ///
    /// - Throws: `out-of-memory`.
    @inline(never)
    func chargeBody(
        of reply: consuming Reply,
        to request: Request,
        of caller: Caller,
        _ rate: RateClass?
    ) throws(Problem) -> Reply {
        guard case .response(var response) = reply, response.body.count > MemoryBudget.freeBytes, rate != nil,
            request.method == .get
        else { return reply }
        guard let charge = self.hub.chargeOutput(response.body.count, to: caller) else { throw .outOfMemory }
        response.charge = charge
        return .response(response)
    }

    /// Counts all toasts of a request, of which one was counted before the body was read.
    ///
    /// - Throws: `rate-limited`; then nothing was counted.
    func chargeRest(of count: Int, to caller: Caller) throws(Problem) {
        guard count > 1 else { return }
        _ = self.appliedLimits.rates.take(-1, .publish, for: caller, at: self.now)
        try self.charge(count, .publish, to: caller)
    }

    /// Counts a refusal, and makes its reply, in the route's own form if it has one.
    ///
    /// A native EventSource gives up for ever on any status but 200, so one that exceeds its rate gets an event stream
    /// that only says when to reconnect.
    @inline(never)
    func reply(to request: Request, _ permission: Permission, refusedBy problem: Problem) -> Reply {
        self.meter.count(problem.type)
        if let foreign = permission.foreign { return .response(foreign.describe(problem, request)) }
        guard problem.type == .rateLimited, request.isEventSource else {
            return .response(problem.response(to: request))
        }
        return .response(.reconnectLater(after: problem.retryAfter))
    }

    /// A hint for clients that post to `/{channel}`, as they would with ntfy; nil for other requests.
    private func hint(about request: Request) -> Problem? {
        guard request.method == .post || request.method == .put, request.target.path.count == 1,
            let name = request.target.path.first, ChannelName(rawValue: name) != nil
        else { return nil }
        return Problem(.notFound, "To publish a toast, POST it to /v1/channels/{channel}/toasts.")
    }
}

extension Request {
    /// Whether an EventSource sent this, or another client that reads event streams.
    fileprivate var isEventSource: Bool {
        self.target.path.last == "stream" && self.headers.list("accept").contains { $0.hasPrefix("text/event-stream") }
    }
}
