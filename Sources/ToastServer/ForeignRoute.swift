import MicroHTTP
import ToastAccess

/// The rules of a route for another system's clients: where they send their credential, and how they read a problem.
struct ForeignRoute: Sendable {
    /// Authenticates the sender of a request.
    let caller: @Sendable (Request) async throws(Problem) -> Caller

    /// Whether even a GET changes something or opens a stream, so that pages of other origins may not send it.
    var changes = true

    /// Makes the response to a request that was refused.
    let describe: @Sendable (Problem, Request) -> Response
}
