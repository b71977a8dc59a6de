/// Why a command could not do its work.
public enum ClientError: Error, Hashable, Sendable {
    /// The server said no: see why, and send something else.
    case refused(Refusal)

    /// Nobody is there; nothing was sent.
    case unreachable(ServerURL, String)

    /// The connection ended before the answer; what was asked may have been done.
    case cut(ServerURL, String)

    /// The answer makes no sense: this may be no toastd.
    case nonsense(ServerURL)

    /// The user has enough.
    case interrupted

    /// What people are told, a line each.
    public var lines: [String] {
        switch self {
        case .refused(let refusal): refusal.lines
        case .unreachable(let server, let reason): ["\(server) cannot be reached.", "  \(reason.printable)"]
        case .cut(let server, let reason):
            ["\(server) gave no answer; what was asked may have been done.", "  \(reason.printable)"]
        case .nonsense(let server): ["\(server) does not answer as toastd does."]
        case .interrupted: ["Interrupted."]
        }
    }

    /// Whether it can help to do the same again.
    var isTemporary: Bool {
        switch self {
        case .refused(let refusal): refusal.isTemporary
        case .unreachable, .cut: true
        case .nonsense, .interrupted: false
        }
    }

    /// Whether the request that was sent before, with the same key, is not answered yet.
    var isUnderWay: Bool {
        guard case .refused(let refusal) = self else { return false }
        return refusal.isUnderWay
    }

    /// Seconds to wait before that, when the server said so.
    var retryAfter: Int? {
        guard case .refused(let refusal) = self else { return nil }
        return refusal.retryAfter
    }
}
