/// A handler's answer to a request.
public enum Reply: Sendable {
    /// A response; the connection stays with the server.
    case response(Response)

    /// The handler takes the connection: the server releases it and passes the socket, on the loop's thread.
    ///
    /// With `answersOnce`, the handler sends one late response over the socket, after which the connection may return
    /// to the server. If no descriptor is free to pass, `otherwise` makes the response.
    case detach(
        @Sendable (Socket) -> Void,
        answersOnce: Bool = false,
        otherwise: @Sendable () -> Response = { Response(status: 503) }
    )
}

/// Answers requests.
///
/// Runs on the connection's loop; what it awaits may be elsewhere.
public typealias Handler = @Sendable (Request) async -> Reply
