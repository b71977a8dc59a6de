import ToastCore

/// Who has claimed which deliveries of a store that only one process has open.
///
/// Bounded by what claimers take: the claims that lapsed are forgotten whenever somebody claims.
struct DeliveryClaims {
    private var claims: [DeliveryID: DeliveryClaim] = [:]

    /// The deliveries that a claim cannot have, because others have them.
    mutating func taken(from claim: DeliveryClaim) -> Set<DeliveryID> {
        self.claims = self.claims.filter { $0.value.until > claim.now }
        return Set(self.claims.lazy.filter { $0.value.claimer != claim.claimer }.map(\.key))
    }

    /// Claims deliveries, but for those that others have claimed meanwhile.
    mutating func take(_ deliveries: [DueDelivery], for claim: DeliveryClaim) -> [DueDelivery] {
        let free = deliveries.filter { self.claims[$0.id].map { $0.claimer == claim.claimer } ?? true }
        for delivery in free { self.claims[delivery.id] = claim }
        return free
    }

    /// Ends every claim on a delivery.
    mutating func end(_ id: DeliveryID) { self.claims[id] = nil }

    /// Ends all claims of a claimer.
    mutating func release(of claimer: DeliveryClaimer) {
        self.claims = self.claims.filter { $0.value.claimer != claimer }
    }
}
