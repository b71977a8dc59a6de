// Toasts that stay out of the queue for a while.

extension ReferenceModel {
    var living: [Item] { self.shown + self.waiting + self.delayed }

    /// Keeps a toast out of the queue until a step.
    mutating func keepOut(_ item: Item, until due: Int?) {
        self.waiting.removeAll { $0.number == item.number }
        self.delayed.removeAll { $0.number == item.number }
        var item = item
        (item.due, item.patience) = (due, nil)
        self.delayed.append(item)
        self.sortDelayed()
    }

    /// Lets a toast that kept out of the queue join it as the newest.
    mutating func join(_ item: Item) {
        self.delayed.removeAll { $0.number == item.number }
        var item = item
        self.newestAge += 1
        (item.age, item.due, item.patience) = (self.newestAge, nil, item.draft.patience)
        self.waiting.append(item)
        self.note("updated \(item.number) moved")
        self.sortAndYield()
    }

    mutating func sortDelayed() {
        self.delayed.sort { ($0.due ?? 0, $0.age) < ($1.due ?? 0, $1.age) }
    }
}
