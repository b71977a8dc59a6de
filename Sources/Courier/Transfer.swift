import InternetAddresses

/// The connections that transfers of a poster have opened, by address and by group of letters; of the poster's thread.
final class AddressUse {
    private struct Key: Hashable {
        let address: IPAddress
        let group: String
    }

    private var counts: [Key: Int] = [:]

    /// Notes one more connection, if there may be one.
    func take(_ address: IPAddress, for sharing: ConnectionSharing) -> Bool {
        let key = Key(address: address, group: sharing.group)
        guard self.counts[key, default: 0] < sharing.limit else { return false }
        self.counts[key, default: 0] += 1
        return true
    }

    /// Notes one connection less.
    func giveBack(_ address: IPAddress, of sharing: ConnectionSharing) {
        let key = Key(address: address, group: sharing.group)
        let left = self.counts[key, default: 0] - 1
        self.counts[key] = left > 0 ? left : nil
    }
}

/// A letter on its way: what curl's callbacks see and decide.
///
/// Lives on the poster's thread, from the moment that its handle was made until that is gone.
final class Transfer {
    let letter: OutgoingRequest
    private let policy: AddressPolicy
    private let addresses: AddressUse
    private let answer: CheckedContinuation<Receipt, Never>
    /// The addresses that it was connected to, and counts for.
    private var taken: [IPAddress] = []
    /// The address last that had as many connections as its group may have.
    private var crowded: IPAddress?
    /// The address that was refused last.
    private var forbidden: IPAddress?
    /// What came back so far: header lines and body, which nobody reads.
    private var received = 0

    /// How much of an answer is taken; what is longer is cut off.
    private static let answerLimit = 65_536

    init(
        _ letter: OutgoingRequest,
        policy: AddressPolicy,
        addresses: AddressUse,
        answer: CheckedContinuation<Receipt, Never>
    ) {
        self.letter = letter
        self.policy = policy
        self.addresses = addresses
        self.answer = answer
    }

    /// Whether a connection to an address may be made; no address at all is not the internet.
    func mayConnect(to address: IPAddress?) -> Bool {
        guard let address else { return false }
        guard self.policy.allows(address) else {
            self.forbidden = address
            return false
        }
        guard let sharing = self.letter.sharing else { return true }
        guard self.addresses.take(address, for: sharing) else {
            self.crowded = address
            return false
        }
        self.taken.append(address)
        return true
    }

    private func giveBack() {
        guard let sharing = self.letter.sharing else { return }
        for address in self.taken { self.addresses.giveBack(address, of: sharing) }
        self.taken = []
    }

    /// Takes a part of the answer; false when it is enough.
    func receive(_ count: Int) -> Bool {
        self.received += count
        return self.received <= Self.answerLimit
    }

    /// Ends the transfer.
    ///
    /// - Parameters:
    ///   - status: The status of the answer; zero when none came.
    ///   - retryAfter: What the answer said of it, in seconds.
    ///   - failure: What curl says of the end; nil when all went well.
    func finish(status: Int, retryAfter: Int?, failure: String?) {
        // One that was connected to another address has failed there.
        let crowded = self.taken.isEmpty ? self.crowded : nil
        self.giveBack()
        // An answer that was cut off behind its status is an answer all the same.
        if status > 0 {
            self.answer.resume(returning: .answered(status: status, retryAfter: retryAfter))
        } else if let crowded {
            self.answer.resume(returning: .crowded(address: crowded.description))
        } else if let forbidden = self.forbidden {
            self.answer.resume(returning: .forbidden(address: forbidden.description))
        } else {
            self.answer.resume(returning: .failed(failure ?? "no answer"))
        }
    }

    /// Ends the transfer because the poster ends.
    func abandon() {
        self.giveBack()
        self.answer.resume(returning: .closed)
    }
}
