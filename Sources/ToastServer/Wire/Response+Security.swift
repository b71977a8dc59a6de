import MicroHTTP

extension Response {
    private static let securityFields = [
        Field(name: "X-Content-Type-Options", value: "nosniff"),
        Field(name: Self.policy, value: "default-src 'none'; frame-ancestors 'none'"),
        Field(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]

    private static let policy = "Content-Security-Policy"

    /// Adds the fields that keep browsers from running or embedding the response; a page has a policy of its own.
    mutating func secure() {
        let length = Self.policy.utf8.count
        let isPage = self.headers.contains { $0.name.utf8.count == length && $0.name == Self.policy }
        if !isPage { self.addHeaders(Self.securityFields) }
    }
}
