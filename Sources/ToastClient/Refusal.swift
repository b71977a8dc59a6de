import Courier
import ToastCore

/// What a server said instead of doing what it was asked: a problem document (RFC 9457), or whatever came in its place.
public struct Refusal: Error, Hashable, Sendable {
    /// What is wrong with one member of the document that was sent.
    public struct Fault: Hashable, Sendable {
        /// Where (RFC 6901); empty for the document as a whole.
        public let pointer: String

        /// What was expected.
        public let detail: String
    }

    /// The status of the answer.
    public let status: Int

    /// The last part of the problem's type, as `invalid-toast`; `nil` when there was no problem document.
    public let type: String?

    /// What went wrong, in a few words.
    public let title: String

    /// What went wrong this time.
    public let detail: String?

    /// What exactly is wrong, and where.
    public let faults: [Fault]

    /// Seconds after which it makes sense to try again.
    public let retryAfter: Int?

    /// Reads an answer that is no success.
    init(_ head: ReplyHead, body: [UInt8]) {
        self.init(
            status: head.status,
            mediaType: head["content-type"] ?? "",
            body: body,
            retryAfter: head["retry-after"].flatMap { Int($0) },
            location: head["location"]
        )
    }

    init(status: Int, mediaType: String, body: [UInt8], retryAfter: Int? = nil, location: String? = nil) {
        self.status = status
        // Whoever answers with something else is no toastd, or stands before one.
        let document = mediaType.hasPrefix("application/problem+json") ? try? JSON(parsing: body, depthLimit: 32) : nil
        self.type = document?["type"]?.string?.split(separator: ":").last.map(String.init)
        self.detail = document?["detail"]?.string
        self.faults = (document?["errors"]?.array ?? []).map { fault in
            Fault(pointer: fault["pointer"]?.string ?? "", detail: fault["detail"]?.string ?? "")
        }
        self.retryAfter = document?["retryAfter"]?.integer.flatMap { Int(exactly: $0) } ?? retryAfter
        if let title = document?["title"]?.string {
            self.title = title
        } else if (300..<400).contains(status), let location {
            self.title = "The server is elsewhere: \(location). Name that with --server."
        } else {
            self.title = "This is not how toastd answers. Is it behind that address?"
        }
    }

    /// Whether trying again later may help.
    public var isTemporary: Bool { [408, 429, 500, 502, 503, 504].contains(self.status) || self.isUnderWay }

    /// Whether another request with the same idempotency key is not answered yet.
    var isUnderWay: Bool { self.type == "idempotency-key-in-use" }

    /// What people are told, a line each.
    public var lines: [String] {
        let name = self.type.map { "\(self.status) \($0)" } ?? "status \(self.status)"
        var lines = ["\(self.title.printable) (\(name.printable))"]
        // The detail of a faulty document is that of its first fault.
        if self.faults.isEmpty, let detail { lines.append("  \(detail.printable)") }
        for fault in self.faults {
            lines.append(
                "  \(fault.pointer.isEmpty ? "the document" : fault.pointer.printable): \(fault.detail.printable)"
            )
        }
        if let retryAfter { lines.append("  Try again in \(retryAfter) s.") }
        return lines
    }
}
