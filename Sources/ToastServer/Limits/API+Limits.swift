import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// What rates are counted with: nobody waits for longer because a clock was set.
    var now: Instant { Instant(nanoseconds: EventLoop.now) }

    /// Makes sure that somebody may do something once more, or so many times.
    ///
    /// - Throws: `rate-limited`, with the time to wait; then nothing was taken.
    func charge(_ count: Int, _ kind: RateClass, to visitor: Caller) throws(Problem) {
        guard count > 0, let wait = self.book.rates.take(count, kind, for: visitor, at: self.now) else { return }
        throw Problem(rateLimitedFor: wait)
    }

    /// Makes sure that there is memory for what makes channels grow; what makes them shrink needs none.
    ///
    /// - Throws: `out-of-memory`.
    func checkMemory() throws(Problem) {
        guard !self.hub.isShortOfMemory else { throw Problem(outOfMemory: ()) }
    }

    /// Finishes an answer that the router made itself (404, 405, `OPTIONS`): one without success counts as a read of the
    /// address that it comes from, whatever it shows, because nothing was looked at to find it.
    func conclude(_ response: Response, to request: Request, on routes: RouteMeters) -> Response {
        guard response.status >= 400 else { return self.observe(response, nil, to: request, on: routes) }
        let source = self.access.proxies.source(of: request)?.source ?? .unknown
        let visitor = Caller(.anonymous([]), from: source, isProgram: false)
        do throws(Problem) {
            try self.charge(1, .read, to: visitor)
        } catch {
            return self.observe(error.response(to: request), error, to: request, on: routes)
        }
        let isThere = response.status == 405
        let problem = isThere ? Problem(.methodNotAllowed) : self.hint(about: request) ?? Problem(.notFound)
        return self.observe(response, problem, to: request, on: routes)
    }

    /// Charges a long answer to the memory that is set aside for what peers have not read yet.
    ///
    /// Only what was read: of what was changed the client has to be told. Probes and files get through.
    ///
    /// - Throws: `out-of-memory`.
    @inline(never)
    func charged(
        _ reply: consuming Reply,
        to request: Request,
        of visitor: Caller,
        _ rate: RateClass?
    ) throws(Problem) -> Reply {
        guard case .response(var response) = reply, response.body.count > MemoryBudget.freeBytes, rate != nil,
            request.method == .get
        else { return reply }
        guard let charge = self.hub.chargeOutput(response.body.count, to: visitor) else {
            throw Problem(outOfMemory: ())
        }
        response.charge = charge
        return .response(response)
    }

    /// Charges for all toasts of a request, of which one was charged for before anything of it was read.
    ///
    /// - Throws: `rate-limited`; then nothing was taken.
    func chargeRest(of count: Int, to visitor: Caller) throws(Problem) {
        guard count > 1 else { return }
        _ = self.book.rates.take(-1, .publish, for: visitor, at: self.now)
        try self.charge(count, .publish, to: visitor)
    }

    /// The answer to a request that was not done.
    ///
    /// A native EventSource gives up for ever on any status but 200, so one that comes too often is told when to come back.
    @inline(never)
    func refusal(_ problem: Problem, of request: Request) -> Response {
        guard problem.type == .rateLimited, request.isEventSource else { return problem.response(to: request) }
        return Self.comeBackLater(after: problem.retryAfter)
    }
}

extension Request {
    /// Whether this is sent by an EventSource, or something that reads the same.
    fileprivate var isEventSource: Bool {
        self.target.path.last == "stream" && self.headers.list("accept").contains { $0.hasPrefix("text/event-stream") }
    }
}

extension Problem {
    /// Somebody who does something too often.
    init(rateLimitedFor wait: Interval) {
        self.init(.rateLimited)
        self.retry(after: max(1, Int(wait.seconds.rounded(.up))))
    }

    /// Says when to try again (RFC 9110 §10.2.3): in a field, and for WebSockets, which have none, as a member.
    mutating func retry(after seconds: Int) {
        self.retryAfter = seconds
        self.headers.append(("Retry-After", String(seconds)))
    }
}
