import ToastCore

/// The slots of the streams that are subscribed to each channel.
struct ChannelSlots {
    private var slots: [ChannelName: [Int]] = [:]

    /// The slots of a channel's streams, in no order.
    subscript(name: ChannelName) -> [Int] { self.slots[name] ?? [] }

    /// Adds a slot; returns its index among those of the channel.
    mutating func add(_ slot: Int, to name: ChannelName) -> Int {
        self.slots[name, default: []].append(slot)
        return self[name].count - 1
    }

    /// Removes the slot at an index.
    ///
    /// - Returns: The slot that now has this index, because the last one moves there; nil when the last one was
    ///   removed.
    mutating func remove(at index: Int, of name: ChannelName) -> Int? {
        guard let entry = self.slots.index(forKey: name) else { return nil }
        let last = self.slots.values[entry].removeLast()
        let isMoved = index < self.slots.values[entry].count
        if isMoved { self.slots.values[entry][index] = last }
        if self.slots.values[entry].isEmpty { self.slots.remove(at: entry) }
        return isMoved ? last : nil
    }
}
