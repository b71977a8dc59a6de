/// Why a command failed.
package enum ClientError: Error, Hashable, Sendable {
    /// The server refused the request: read the reason, and send another one.
    case refused(ErrorResponse)

    /// The server cannot be reached; nothing was sent.
    case unreachable(ServerURL, String)

    /// The connection ended before the answer; the request may have been carried out.
    case cut(ServerURL, String)

    /// The answer is not one of toastd; another program may be at this address.
    case notToastd(ServerURL)

    /// The user interrupted the command.
    case interrupted

    /// The lines for the user.
    package var lines: [String] {
        switch self {
        case .refused(let response): response.lines
        case .unreachable(let server, let reason): ["\(server) cannot be reached.", "  \(reason.printable)"]
        case .cut(let server, let reason):
            ["\(server) gave no answer; what was asked may have been done.", "  \(reason.printable)"]
        case .notToastd(let server): ["\(server) does not answer as toastd does."]
        case .interrupted: ["Interrupted."]
        }
    }

    /// Whether repeating the request may help.
    var isTemporary: Bool {
        switch self {
        case .refused(let response): response.isTemporary
        case .unreachable, .cut: true
        case .notToastd, .interrupted: false
        }
    }

    /// Whether an earlier request with the same idempotency key is still being processed.
    var isUnderWay: Bool { if case .refused(let response) = self { response.isUnderWay } else { false } }

    /// The seconds to wait before repeating it, if the server named them.
    var retryAfter: Int? { if case .refused(let response) = self { response.retryAfter } else { nil } }
}
