import ToastCore

/// The claims on the deliveries of a store that only one process has open.
///
/// Bounded by what claimers take: each claim first removes the claims that have lapsed.
struct DeliveryClaims {
    private var claims: [DeliveryID: DeliveryClaim] = [:]

    /// The deliveries that another claimer has.
    mutating func taken(from claim: DeliveryClaim) -> Set<DeliveryID> {
        self.claims = self.claims.filter { $0.value.until > claim.now }
        return Set(self.claims.lazy.filter { $0.value.claimer != claim.claimer }.map(\.key))
    }

    /// Claims deliveries, except those that another claimer has claimed meanwhile.
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
