/// A request method that the server knows, RFC 9110 §9 and RFC 5789.
public enum Method: String, CaseIterable, Hashable, Sendable {
    /// Reads a resource.
    case get = "GET"
    /// Reads a resource without its content.
    case head = "HEAD"
    /// Asks a resource to do what it does.
    case post = "POST"
    /// Puts a resource in place of the one there is.
    case put = "PUT"
    /// Changes a part of a resource.
    case patch = "PATCH"
    /// Takes a resource away.
    case delete = "DELETE"
    /// Asks what may be done with a resource.
    case options = "OPTIONS"
}
