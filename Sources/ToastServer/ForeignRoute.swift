import MicroHTTP
import ToastAccess

/// How a route of another system's format differs from the API's own: in what it takes as a credential, and in how its
/// clients read a problem.
struct ForeignRoute: Sendable {
    /// Finds out who sent a request.
    let caller: @Sendable (Request) async throws(Problem) -> Caller

    /// Whether a request changes something or opens a stream, even by GET: pages of other origins may not send it.
    var changes = true

    /// Makes the response to a request that was refused.
    let describe: @Sendable (Problem, Request) -> Response
}
