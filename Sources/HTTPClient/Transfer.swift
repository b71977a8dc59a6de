import InternetAddresses

/// Which addresses the transfers of one thread may connect to, and how many connections each group has to an address.
final class ConnectionRules {
    private struct Key: Hashable {
        let address: IPAddress
        let group: String
    }

    let policy: AddressPolicy
    private var counts: [Key: Int] = [:]

    init(policy: AddressPolicy) {
        self.policy = policy
    }

    /// Counts one more connection, if the group may have one.
    func take(_ address: IPAddress, for sharing: ConnectionSharing) -> Bool {
        let key = Key(address: address, group: sharing.group)
        guard self.counts[key, default: 0] < sharing.limit else { return false }
        self.counts[key, default: 0] += 1
        return true
    }

    /// Counts one connection less.
    func release(_ address: IPAddress, of sharing: ConnectionSharing) {
        let key = Key(address: address, group: sharing.group)
        let left = self.counts[key, default: 0] - 1
        self.counts[key] = left > 0 ? left : nil
    }
}

/// A request under way, and what came back so far; libcurl's callbacks call it.
///
/// Confined to the thread that performs it.
final class Transfer {
    let request: OutgoingRequest
    private let rules: ConnectionRules?

    /// The header fields so far.
    private(set) var headers: [(name: String, value: String)] = []
    /// Whether the head is complete.
    private(set) var hasHead = false
    private var body: [UInt8] = []
    /// The size of the response so far, header lines included.
    private var received = 0

    /// The addresses to which this transfer has counted a connection.
    private var taken: [IPAddress] = []
    /// The last address to which the group had as many connections as it may have.
    private var crowded: IPAddress?
    /// The last address that the policy refused.
    private var forbidden: IPAddress?

    /// How many bytes of a webhook's response are read; a longer one is cut off.
    private static let responseLimit = 65_536

    /// A transfer; with rules for its connections, as for a webhook, the response is read and dropped, otherwise kept.
    init(_ request: OutgoingRequest, rules: ConnectionRules? = nil) {
        self.request = request
        self.rules = rules
    }

    /// Whether libcurl has to ask ``mayConnect(to:)``.
    var isRestricted: Bool { self.rules != nil }

    /// Whether a connection to an address may be made; nil is not an address of the internet.
    func mayConnect(to address: IPAddress?) -> Bool {
        guard let address, let rules else { return false }
        guard rules.policy.allows(address) else {
            self.forbidden = address
            return false
        }
        guard let sharing = self.request.sharing else { return true }
        guard rules.take(address, for: sharing) else {
            self.crowded = address
            return false
        }
        self.taken.append(address)
        return true
    }

    /// Takes a line of the head: the status line, a field, or the empty line at its end; false when it is too much.
    func receiveLine(_ line: some Collection<UInt8>) -> Bool {
        guard !self.isRestricted else { return self.count(line.count) }
        let text = String(decoding: line, as: UTF8.self).filter { !$0.isNewline }
        if text.hasPrefix("HTTP/") {
            // The head before this one, if any, was of an interim response.
            (self.headers, self.hasHead) = ([], false)
        } else if text.isEmpty {
            self.hasHead = true
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            self.headers.append((text[..<colon].lowercased(), String(value)))
        }
        return true
    }

    /// Takes a part of the body; false when it is too much.
    func receive(_ part: some Collection<UInt8>) -> Bool {
        guard !self.isRestricted else { return self.count(part.count) }
        self.body += part
        return true
    }

    private func count(_ bytes: Int) -> Bool {
        self.received += bytes
        return self.received <= Self.responseLimit
    }

    /// The part of the body that came since the last call.
    func takeBody() -> [UInt8] {
        defer { self.body = [] }
        return self.body
    }

    /// Ends a transfer with rules, and its count of connections; the status is zero when no response came.
    func finish(status: Int, retryAfter: Int?, failure: String?) -> TransferOutcome {
        // If it was connected to another address, it failed there.
        let crowded = self.taken.isEmpty ? self.crowded : nil
        if let sharing = self.request.sharing {
            for address in self.taken { self.rules?.release(address, of: sharing) }
        }
        // A response that was cut off after its head is a response all the same, but not an interim one (1xx).
        if status >= 200 { return .answered(status: status, retryAfter: retryAfter) }
        if let crowded { return .crowded(address: crowded.description) }
        if let forbidden { return .forbidden(address: forbidden.description) }
        return .failed(failure ?? "no answer")
    }
}
