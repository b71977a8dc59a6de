import ToastCore

/// Why bytes are no message, or a message cannot be sent.
package enum MessageError: Error, Equatable, Sendable {
    /// The message is of a version that this node does not know: update it, or the other node.
    case unknownVersion(UInt8)

    /// The bytes are no message of this version; the text is for the log.
    case malformed(String)

    /// The message has more bytes than the bus carries, and was not sent: raise the bus's limit.
    case tooLong(Int)

    /// The error of a missing or invalid member.
    static func member(_ name: String) -> Self { .malformed("The member \"\(name)\" is missing or invalid.") }

    /// Reads a value that has a form of its own.
    static func inside<Value>(
        _ name: String,
        _ read: () throws(ValidationError) -> Value
    ) throws(MessageError) -> Value {
        do throws(ValidationError) {
            return try read()
        } catch {
            let issue = error.issues.first
            throw .malformed("The member \"\(name)\" is invalid at \"\(issue?.pointer ?? "")\": \(issue?.detail ?? "")")
        }
    }
}
