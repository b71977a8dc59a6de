/// A request method that the server knows, RFC 9110 §9 and RFC 5789.
public enum Method: String, CaseIterable, Hashable, Sendable {
    /// Reads a resource.
    case get = "GET"
    /// Reads a resource without its content.
    case head = "HEAD"
    /// Has a resource process the content.
    case post = "POST"
    /// Replaces a resource, or creates it.
    case put = "PUT"
    /// Changes a part of a resource.
    case patch = "PATCH"
    /// Deletes a resource.
    case delete = "DELETE"
    /// Asks which methods a resource has.
    case options = "OPTIONS"
}
