import HTTPClient
package import ToastCore

/// A response that is no success: a problem document (RFC 9457), or the answer of another program.
package struct ErrorResponse: Hashable, Sendable {
    package let status: Int

    /// The last part of the problem's type, such as `invalid-toast`; `nil` without a problem document.
    package let type: String?

    /// The problem's title; without a problem document, a sentence about the answer.
    package let title: String

    package let detail: String?

    /// The faults in the document that was sent, without their limits.
    package let faults: [ValidationIssue]

    /// The seconds after which a retry may succeed.
    package let retryAfter: Int?

    /// Reads a response that is no success.
    init(_ head: ResponseHead, body: [UInt8]) {
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
        // Other answers come from a proxy, or from another program.
        let isProblem = mediaType.hasPrefix("application/problem+json")
        let document = isProblem ? try? JSON(parsing: body, depthLimit: 32, limitsMarks: false) : nil
        self.type = document?["type"]?.string?.split(separator: ":").last.map(String.init)
        self.detail = document?["detail"]?.string
        self.faults = (document?["errors"]?.array ?? []).map { fault in
            ValidationIssue(pointer: fault["pointer"]?.string ?? "", detail: fault["detail"]?.string ?? "")
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

    /// Whether a later retry may help.
    package var isTemporary: Bool { [408, 429, 500, 502, 503, 504].contains(self.status) || self.isUnderWay }

    /// Whether an earlier request with the same idempotency key is still being processed.
    var isUnderWay: Bool { self.type == "idempotency-key-in-use" }

    /// The lines for the user.
    package var lines: [String] {
        let name = self.type.map { "\(self.status) \($0)" } ?? "status \(self.status)"
        var lines = ["\(self.title.printable) (\(name.printable))"]
        // The detail of an invalid document repeats its first fault.
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
