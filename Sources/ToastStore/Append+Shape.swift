import ToastCore

extension Append {
    /// Stops the program when the change does not have the shape that the port requires.
    ///
    /// Only a bug in the server makes a wrong one, and storing it would damage the channel for good.
    func checkShape() {
        let isEmpty =
            self.events.count == 0 && self.records.isEmpty && self.snapshot == nil && self.deliveries.isEmpty
        precondition(!isEmpty, "An append carries something.")
        let isGapless =
            switch self.events {
            case .written(let events): self.follow(events, \.offset)
            case .unwritten(let events): self.follow(events, \.offset)
            }
        precondition(isGapless, "The events of an append follow its expected offset, no gap.")
        if let snapshot = self.snapshot {
            precondition(snapshot.offset == self.end, "The snapshot of an append is of its last event.")
        }
    }

    private func follow<Event>(_ events: [Event], _ offset: (Event) -> Offset) -> Bool {
        zip(events, 1...).allSatisfy { offset($0).rawValue == self.expected.rawValue + $1 }
    }

    /// The last event's offset.
    var end: Offset { Offset(rawValue: self.expected.rawValue + Int64(self.events.count)) }
}
