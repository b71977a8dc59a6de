import InternetAddresses

/// A letter on its way: what curl's callbacks see and decide.
///
/// Lives on the poster's thread, from the moment that its handle was made until that is gone.
final class Transfer {
    let letter: Letter
    private let policy: AddressPolicy
    private let answer: CheckedContinuation<Receipt, Never>
    /// The address that was refused last.
    private var forbidden: IPAddress?
    /// What came back so far: header lines and body, which nobody reads.
    private var received = 0

    /// How much of an answer is taken; what is longer is cut off.
    private static let answerLimit = 65_536

    init(_ letter: Letter, policy: AddressPolicy, answer: CheckedContinuation<Receipt, Never>) {
        self.letter = letter
        self.policy = policy
        self.answer = answer
    }

    /// Whether a connection to an address may be made; no address at all is not the internet.
    func mayConnect(to address: IPAddress?) -> Bool {
        guard let address else { return false }
        let isAllowed = self.policy.allows(address)
        if !isAllowed { self.forbidden = address }
        return isAllowed
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
        // An answer that was cut off behind its status is an answer all the same.
        if status > 0 {
            self.answer.resume(returning: .answered(status: status, retryAfter: retryAfter))
        } else if let forbidden = self.forbidden {
            self.answer.resume(returning: .forbidden(address: forbidden.description))
        } else {
            self.answer.resume(returning: .failed(failure ?? "no answer"))
        }
    }

    /// Ends the transfer because the poster ends.
    func abandon() {
        self.answer.resume(returning: .closed)
    }
}
