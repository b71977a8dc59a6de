import ToastCore

extension Append {
    /// Stops the program when the change is not what the port asks for: only a bug of ours can write such a one,
    /// and storing it would break a channel for good.
    func checkShape() {
        precondition(!self.events.isEmpty || !self.records.isEmpty, "An append carries an event or a record.")
        var place = self.expected
        for event in self.events {
            precondition(event.offset == place.next, "The events of an append follow its expected offset, no gap.")
            place = event.offset
        }
        if let snapshot = self.snapshot {
            precondition(snapshot.offset == place, "The snapshot of an append stands right behind its last event.")
        }
    }

    /// The last event's offset.
    var end: Offset { Offset(rawValue: self.expected.rawValue + Int64(self.events.count)) }
}
