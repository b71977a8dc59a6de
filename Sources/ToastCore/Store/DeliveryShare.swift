/// How many of the due deliveries of one call may be for one webhook, and for one owner of webhooks.
public struct DeliveryShare: Hashable, Sendable {
    /// The most deliveries for one webhook.
    public let webhook: Int

    /// The most deliveries for all webhooks of one owner.
    public let owner: Int

    /// As many as there are.
    public static let unlimited = Self(webhook: .max, owner: .max)

    /// A share.
    public init(webhook: Int, owner: Int = .max) {
        self.webhook = webhook
        self.owner = owner
    }

    /// Chooses from the due deliveries of each webhook: the first of each before the second of any.
    ///
    /// Each queue, and the result, begins with the delivery that has been due longest.
    public func choose(from queues: [[(due: Instant, delivery: DueDelivery)]], limit: Int) -> [DueDelivery] {
        typealias Candidate = (turn: Int, due: Instant, delivery: DueDelivery)
        func isEarlier(_ left: Candidate, _ right: Candidate) -> Bool {
            (left.due, left.delivery.id) < (right.due, right.delivery.id)
        }
        var candidates: [Candidate] = queues.flatMap { queue in
            queue.prefix(self.webhook).enumerated().map { ($0, $1.due, $1.delivery) }
        }
        candidates.sort { $0.turn == $1.turn ? isEarlier($0, $1) : $0.turn < $1.turn }
        var owners: [String: Int] = [:]
        let fair = candidates.filter { candidate in
            owners[candidate.delivery.owner, default: 0] += 1
            return owners[candidate.delivery.owner, default: 0] <= self.owner
        }
        return fair.prefix(max(limit, 0)).sorted(by: isEarlier).map(\.delivery)
    }
}
