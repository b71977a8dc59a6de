/// Something in a document that was accepted but may not do what its sender expects: it is ignored, or hard to see.
public struct Warning: Hashable, Sendable, JSONWritable {
    /// The member, as a JSON Pointer (RFC 6901).
    public let pointer: String

    /// What happens to it, in a sentence for the sender.
    public let detail: String

    /// The contrast of two colours, from 1 to 21 in hundredths, never rounded up to what is required; `nil` otherwise.
    public let ratio: Double?

    /// A warning about a member.
    public init(pointer: String, detail: String, ratio: Double? = nil) {
        self.pointer = pointer
        self.detail = detail
        self.ratio = ratio
    }

    /// The same warning in an enclosing document.
    public func inside(_ place: String) -> Self {
        Self(pointer: place + self.pointer, detail: self.detail, ratio: self.ratio)
    }

    /// Writes `{"pointer", "detail", "ratio"}`.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("pointer", self.pointer)
            writer.member("detail", self.detail)
            writer.member("ratio", self.ratio)
        }
    }
}
