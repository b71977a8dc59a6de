/// Why bytes are not the JSON that this service reads.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// The place of the fault, in bytes from the start.
    public let offset: Int

    /// The fault in a sentence for the sender.
    public let detail: String

    /// Whether the document is only nested too deeply.
    public private(set) var isTooDeep = false

    /// The value that was being read, as a JSON Pointer (RFC 6901); `nil` when it is the document itself.
    public private(set) var pointer: String?

    /// The same fault in an enclosing value.
    func inside(_ token: String) -> Self {
        var error = self
        error.pointer = "/" + token.escapedForPointer + (self.pointer ?? "")
        return error
    }
}

extension String {
    /// The text as one token of a JSON Pointer: RFC 6901 §3, `~` becomes `~0` and `/` becomes `~1`.
    public var escapedForPointer: String {
        self.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }
}
