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
    /// Or no request was sent, because the URL is no address of a server, or a name or an id is empty, `.` or `..`.
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
    private struct Content: Decodable {
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

    /// The problem that an answer describes.
    init(_ head: AnswerHead, _ body: Data) {
        // A proxy's answer need not be a problem document.
        let content = try? JSONDecoder().decode(Content.self, from: body)
        let faults = (content?.errors ?? []).map { "\($0.pointer): \($0.detail)" }.joined(separator: "; ")
        let redirect = (300..<400).contains(head.status)
        let target = head.location ?? "another address"
        self.status = head.status
        self.type =
            redirect
            ? "about:blank"
            : (content?.type ?? "about:blank").replacingOccurrences(of: "urn:toastd:problem:", with: "")
        self.detail =
            if redirect {
                "The server redirects to \(target): use that address."
            } else {
                faults.isEmpty ? content?.detail ?? content?.title ?? "" : faults
            }
        self.retryAfter = head.retryAfter ?? content?.retryAfter
        self.toast = (try? JSONDecoder().decode(Subject.self, from: body))?.toast
        self.document = try? JSONDecoder().decode(JSON.self, from: body)
    }
}
