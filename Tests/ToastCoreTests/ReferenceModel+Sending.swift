import ToastCore

extension ReferenceModel {
    mutating func post(_ drafts: [Draft]) -> String {
        var answer: [String] = []
        for draft in drafts {
            let number = self.count
            let lane = self.lane(draft.placement)
            self.count += 1
            if draft.delay == nil, let twin = self.twin(draft, lane) {
                answer.append("was \(twin.number)")
                if self.rules.deduplication == .identity { self.sendAgain(twin, draft) }
                continue
            }
            if self.rules.mode == .reject, draft.delay == nil {
                let inTheWay = self.shown.last { $0.lane == lane } ?? self.waiting.first { $0.lane == lane }
                if let inTheWay { return "! \(inTheWay.number) is there" }
            }
            guard self.hasRoom(isDelayed: draft.delay != nil) else { return "! full" }
            self.newestAge += 1
            self.note("enqueued \(number)")
            var item = Item(number: number, draft: draft, age: self.newestAge, lane: lane)
            if let delay = draft.delay {
                item.draft.delay = nil
                item.due = self.now + delay
                self.delayed.append(item)
                self.sortDelayed()
            } else {
                item.patience = draft.patience
                self.waiting.append(item)
            }
            answer.append("is \(number)")
        }
        self.sortAndYield()
        return answer.joined(separator: ", ")
    }

    /// Whether one more toast may be queued; in a mode that keeps only the newest, only delayed ones are counted.
    func hasRoom(isDelayed: Bool) -> Bool {
        guard self.keepsOne else { return self.waiting.count + self.delayed.count < self.capacity }
        return !isDelayed || self.delayed.count < self.capacity
    }

    private func twin(_ draft: Draft, _ lane: Int) -> Item? {
        let lane = (self.shown + self.waiting).filter { $0.lane == lane }.sorted { $0.age < $1.age }
        func saysTheSame(_ other: Draft) -> Bool {
            draft.text == other.text && draft.isTitled == other.isTitled
                && (draft.isTitled || draft.role == other.role)
        }
        switch self.rules.deduplication {
        case .none:
            return nil
        case .identity:
            return lane.last { draft.name != nil && draft.name == $0.draft.name }
                ?? lane.last { (draft.name == nil || $0.draft.name == nil) && saysTheSame($0.draft) }
        case .equal:
            return (self.keepsOne ? lane.suffix(1) : lane[...]).last {
                saysTheSame($0.draft) && draft.role == $0.draft.role && draft.duration == $0.draft.duration
            }
        }
    }

    private mutating func sendAgain(_ twin: Item, _ draft: Draft) {
        var item = twin
        let moves = self.shown.last { $0.lane == twin.lane }?.number != twin.number
        self.newestAge += 1
        item.draft = draft
        item.isComplete = false
        item.patience = draft.patience
        item.age = self.newestAge
        let isShown = self.shown.contains { $0.number == item.number }
        if isShown {
            self.newestPlace += 1
            item.place = self.newestPlace
            item.left = self.time(item, moves: moves)
        }
        self.put(item)
        self.sortAndYield(yields: false)
        self.note("updated \(item.number) moved\(isShown ? self.left(item) : "")")
    }
}
