/// The sender of a request: its principal, its source, and its key for rate limits.
package struct Caller: Sendable {
    package let principal: Principal
    package let source: Source

    /// The key under which its requests are counted.
    package let rateLimitKey: RateLimitKey

    /// Creates a caller.
    ///
    /// A program carries a key or a token in the request itself. Many people may share the principal of a session or a
    /// ticket, so these are counted by source.
    package init(_ principal: Principal, from source: Source, isProgram: Bool) {
        self.principal = principal
        self.source = source
        self.rateLimitKey = isProgram ? RateLimitKey(program: principal.name) : RateLimitKey(source)
    }

    /// The caller of requests that the server itself or a test makes.
    package static let server = Self(.withoutPermissions, from: .thisMachine, isProgram: false)
}
