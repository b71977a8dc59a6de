public import Foundation

/// What can go wrong.
public enum ToastdError: Error, Sendable, Hashable {
    /// The server refused the request: correct it.
    case problem(ToastProblem)
    /// The server could not be reached.
    ///
    /// Try again later.
    case connectionLost(String)
    /// The answer is not one of this API: the URL is that of another server, or of a proxy's page.
    ///
    /// Or no request was sent, because the URL is no address of a server, the token is empty, or a name or an id is
    /// empty, `.` or `..`.
    case unexpectedAnswer(String)

    /// Whether the server may answer the same request later: it is busy, stops, or is being restarted.
    var isPassing: Bool {
        switch self {
        // With this type, the server is still storing the first request that had the idempotency key.
        case .problem(let problem):
            problem.type == "idempotency-key-in-use" || [429, 502, 503, 504].contains(problem.status)
        case .connectionLost: true
        case .unexpectedAnswer: false
        }
    }
}

extension ToastdError: LocalizedError {
    /// What happened, in English: the text of `localizedDescription`.
    public var errorDescription: String? {
        switch self {
        case .problem(let problem): problem.detail.isEmpty ? "The server answered \(problem.status)." : problem.detail
        case .connectionLost(let reason): "The connection was lost: \(reason)"
        case .unexpectedAnswer(let reason): reason
        }
    }
}

/// Why the server refused a request (RFC 9457).
public struct ToastProblem: Sendable, Hashable {
    /// The status of the answer.
    public let status: Int
    /// The name without `urn:toastd:problem:`; `about:blank` if the answer has none, as that of a proxy.
    public let type: String
    /// The faults of the document that was sent, or another explanation; it may be empty.
    public let detail: String
    /// Seconds after which to try again, if the server names some.
    public let retryAfter: Double?
    /// The toast that the problem is about, such as the present one of a channel that has room for one.
    public let toast: Toast?
    /// The whole document; nil if the answer is not JSON.
    public let document: JSON?
}

extension ToastProblem {
    /// The document of a problem; each part may be absent, because a proxy's answer need not be such a document.
    struct Document: Decodable {
        fileprivate struct Content: Decodable {
            struct Fault: Decodable {
                let pointer: String
                let detail: String
            }
            let type: String?
            let title: String?
            let detail: String?
            let retryAfter: Double?
            let errors: [Fault]?
        }

        private struct Subject: Decodable { let toast: Toast }

        fileprivate let content: Content?
        fileprivate let toast: Toast?
        fileprivate let json: JSON?

        init(from decoder: any Decoder) {
            // An error here means: a document without this part.
            self.content = try? Content(from: decoder)
            self.toast = (try? Subject(from: decoder))?.toast
            self.json = try? JSON(from: decoder)
        }
    }

    /// The problem that an answer describes.
    init(_ head: AnswerHead, _ body: Data) {
        // An error here means: the answer is not JSON.
        let document = try? JSONDecoder().decode(Document.self, from: body)
        guard (300..<400).contains(head.status) else {
            self.init(status: head.status, retryAfter: head.retryAfter, document: document)
            return
        }
        self.init(
            status: head.status,
            type: "about:blank",
            detail: "The server redirects to \(head.location ?? "another address"): use that address.",
            retryAfter: head.retryAfter,
            toast: nil,
            document: document?.json
        )
    }

    /// The problem that a document describes, which has this status.
    init(status: Int, retryAfter: Double? = nil, document: Document?) {
        let content = document?.content
        let faults = (content?.errors ?? []).map { "\($0.pointer): \($0.detail)" }.joined(separator: "; ")
        self.init(
            status: status,
            type: (content?.type ?? "about:blank").replacingOccurrences(of: "urn:toastd:problem:", with: ""),
            detail: faults.isEmpty ? content?.detail ?? content?.title ?? "" : faults,
            retryAfter: retryAfter ?? content?.retryAfter,
            toast: document?.toast,
            document: document?.json
        )
    }
}
