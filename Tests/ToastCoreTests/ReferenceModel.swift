import ToastCore

/// A second, simple implementation of the engine's rules, to compare it with.
///
/// Time passes in steps of 50 ms, and at each step everything is counted down by one. There are no deadlines and no
/// events, and nothing is shared with the engine.
struct ReferenceModel {
    struct Item {
        let number: Int
        var draft: Draft
        /// When it was sent, or sent again: greater for the newer one.
        var age: Int
        /// When it came on screen, or was sent again there: greater for the newer one.
        var place = 0
        var lane: Int
        var patience: Int?
        var isComplete = false
        var left: Int?
        var entry = 0
        /// How long it has been on screen, in steps.
        var seen = 0
        var leases: [(holder: String, left: Int)] = []
        /// The step at which it joins the queue; nil for a toast without a delay.
        var due: Int?
    }

    /// Milliseconds of a step.
    static let step = 50

    /// Steps of the animations and of the pause.
    static let (enter, move, exit, pause) = (7, 6, 7, 4)

    /// Steps until an assistive viewer counts as gone.
    static let grace = 40

    var log: [String] = []
    var waiting: [Item] = []
    /// The toasts that are not in the queue yet.
    var delayed: [Item] = []
    var shown: [Item] = []
    var gone: [Int: String] = [:]
    var busy = [0, 0, 0]
    var count = 0
    var newestAge = 0
    var newestPlace = 0
    var now = 0
    var rules: Rules
    let capacity: Int
    var watchers = History.Watchers(isAttached: false)
    var attendance: Int?

    init(rules: Rules, capacity: Int) {
        self.rules = rules
        self.capacity = capacity
    }

    // MARK: - Time

    mutating func pass() {
        self.now += 1
        for lane in 0..<3 { self.busy[lane] = max(0, self.busy[lane] - 1) }
        for index in self.shown.indices {
            self.shown[index].entry = max(0, self.shown[index].entry - 1)
            self.shown[index].seen += 1
            if self.shown[index].leases.isEmpty { self.shown[index].left = self.shown[index].left.map { $0 - 1 } }
            for lease in self.shown[index].leases.indices { self.shown[index].leases[lease].left -= 1 }
        }
        for index in self.waiting.indices {
            self.waiting[index].patience = self.waiting[index].patience.map { $0 - 1 }
        }
        for index in self.shown.indices.sorted(by: { self.shown[$0].age < self.shown[$1].age }) {
            while let lease = self.shown[index].leases.firstIndex(where: { $0.left == 0 }) {
                self.note("released \(self.shown[index].number) \(self.shown[index].leases.remove(at: lease).holder)")
            }
        }
        for item in self.shown.sorted(by: { $0.age < $1.age }) where item.left == 0 {
            self.dismiss(item, item.draft.lastWord != nil && item.isComplete ? "completed" : "timeout")
        }
        for item in self.shown.sorted(by: { $0.age < $1.age }) where self.rules.mode == .replaceAll {
            let isFollowed = self.waiting.contains { $0.lane == item.lane && $0.age > item.age }
            if isFollowed, item.seen >= self.rules.minimum { self.dismiss(item, "replaced") }
        }
        for item in self.waiting.sorted(by: { $0.age < $1.age }) where item.patience == 0 {
            self.dismiss(item, "expired")
        }
        for item in self.delayed where item.due == self.now { self.join(item) }
        self.attendance = self.attendance.map { $0 - 1 }
        if self.attendance == 0 {
            self.attendance = nil
            self.retime(isOver: true)
            for item in self.shown.sorted(by: { $0.age < $1.age }) where item.left == 0 && item.leases.isEmpty {
                self.dismiss(item, item.draft.lastWord != nil && item.isComplete ? "completed" : "timeout")
            }
        }
        self.present()
    }

    private mutating func present() {
        for lane in 0..<3 {
            while let item = self.waiting.first(where: { $0.lane == lane }), self.hasRoom(lane) {
                if self.rules.mode == .replace {
                    for old in self.shown where old.lane == lane { self.dismiss(old, "replaced", exit: 0) }
                }
                self.waiting.removeAll { $0.number == item.number }
                var item = item
                item.entry = Self.enter
                item.seen = 0
                item.left = self.time(item)
                self.newestPlace += 1
                item.place = self.newestPlace
                self.shown.append(item)
                self.note("presented \(item.number)\(self.left(item))")
            }
        }
    }

    private func hasRoom(_ lane: Int) -> Bool {
        guard self.watchers.isAttached else { return false }
        let count = self.shown.filter { $0.lane == lane }.count
        switch self.rules.mode {
        case .fifo, .priority, .replaceAll, .reject: return count == 0 && self.busy[lane] == 0
        case .replace: return self.busy[lane] == 0
        case .stack: return count < self.rules.maxVisible
        }
    }

    private mutating func dismiss(_ item: Item, _ reason: String, exit: Int = Self.exit) {
        self.note("dismissed \(item.number) \(reason)")
        self.gone[item.number] = reason
        if self.shown.contains(where: { $0.number == item.number }), exit > 0 {
            let pause = self.rules.mode == .fifo || self.rules.mode == .priority ? Self.pause : 0
            self.busy[item.lane] = max(self.busy[item.lane], exit + pause)
        }
        self.shown.removeAll { $0.number == item.number }
        self.waiting.removeAll { $0.number == item.number }
        self.delayed.removeAll { $0.number == item.number }
    }

    /// How long a toast stays from now on, its entry, or its move to another place, included.
    func time(_ item: Item, moves: Bool = false) -> Int? {
        let isComplete = item.isComplete && item.draft.lastWord != nil
        guard let time = isComplete ? item.draft.lastWord : item.draft.duration else { return nil }
        if self.watchers.isAssistive && item.draft.insists { return nil }
        let scaled = max(time * self.watchers.scale, self.watchers.isAssistive ? time * 3 / 2 : 0)
        guard self.rules.mode == .stack else { return scaled }
        return scaled + max(item.entry, moves ? Self.move : 0)
    }

    // MARK: - Actions

    /// Carries out an action, and returns the answer that the engine must give.
    mutating func perform(_ action: History.Action) -> String {
        let before = self
        let answer = self.carryOut(action)
        if answer.hasPrefix("!") { self = before } else { self.present() }
        return answer
    }

    private mutating func carryOut(_ action: History.Action) -> String {
        switch action {
        case .post(let drafts):
            return self.post(drafts)
        case .clear:
            for item in self.living { self.dismiss(item, "cleared") }
        case .forget(let name):
            for item in self.living where item.draft.name == name { self.dismiss(item, "api") }
        case .configure(let rules):
            self.configure(rules)
        case .audience(let watchers):
            self.attend(watchers)
        case .dismiss(let number), .act(let number), .hold(let number, _, _), .release(let number, _),
            .update(let number, _):
            let item = self.living.first { $0.number == number }
            guard item != nil || self.gone[number] != nil else { return "! unknown" }
            return self.carryOut(action, number, item)
        }
        return ""
    }

    private mutating func carryOut(_ action: History.Action, _ number: Int, _ item: Item?) -> String {
        let index = self.shown.firstIndex { $0.number == number }
        switch action {
        case .dismiss:
            guard let index else { return item == nil ? "" : "! not shown" }
            self.dismiss(self.shown[index], "swipe")
        case .act:
            guard let index else { return item != nil ? "! not shown" : self.gone[number] == "action" ? "" : "! gone" }
            self.note("acted \(number)")
            self.dismiss(self.shown[index], "action")
        case .hold(_, let holder, let lease):
            guard let index else { return item == nil ? "! gone" : "! not shown" }
            if self.shown[index].leases.contains(where: { $0.holder == holder && $0.left == lease }) { break }
            self.shown[index].leases.removeAll { $0.holder == holder }
            self.shown[index].leases.append((holder, lease))
            self.note("held \(number) \(holder)")
        case .release(_, let holder):
            guard let index, self.shown[index].leases.contains(where: { $0.holder == holder }) else { break }
            self.shown[index].leases.removeAll { $0.holder == holder }
            self.note("released \(number) \(holder)")
        case .update(_, let change):
            guard var item else { return "! gone" }
            if index == nil, let delay = change.delay, delay > 0, item.due == nil {
                guard !self.keepsOne || self.delayed.count < self.capacity else { return "! full" }
            }
            self.update(&item, change, isShown: index != nil)
        default:
            break
        }
        return ""
    }

    private mutating func update(_ item: inout Item, _ change: History.Change, isShown: Bool) {
        let (old, wasComplete) = (item.draft, item.isComplete)
        item.draft.role = change.role ?? old.role
        item.draft.duration = change.duration ?? old.duration
        item.draft.placement = change.placement ?? old.placement
        item.draft.text = change.text ?? old.text
        item.isComplete = change.isComplete ?? wasComplete
        item.draft.insists = change.insists ?? old.insists
        let isOtherAudience = item.draft.insists != old.insists
        let isFreed = isOtherAudience && (item.left == nil) != (self.time(item) == nil)
        let restarts =
            isShown && (change.duration != nil || old.lastWord != nil && item.isComplete != wasComplete || isFreed)
        let due = change.delay.map { $0 == 0 ? nil : self.now + $0 } ?? item.due
        let isOtherDelay = !isShown && due != item.due
        let joins = isOtherDelay && due == nil
        guard
            restarts || item.draft.role != old.role || item.draft.duration != old.duration
                || item.draft.placement != old.placement || item.draft.text != old.text
                || item.isComplete != wasComplete || isOtherAudience || isOtherDelay
        else { return }
        if restarts { item.left = self.time(item) }
        if !isShown { item.lane = self.lane(item.draft.placement) }
        if joins { return self.join(item) }
        self.put(item)
        if isOtherDelay { self.keepOut(item, until: due) }
        self.note("updated \(item.number)\(isShown ? self.left(item) : "")")
        self.sortAndYield()
    }

    /// A toast that requires an interaction has no end while an assistive viewer is attached, and its time afterwards.
    private mutating func attend(_ watchers: History.Watchers) {
        let wasAssistive = self.watchers.isAssistive
        self.watchers = watchers
        if watchers.isAssistive {
            self.attendance = nil
            self.retime(isOver: false)
        } else if self.attendance == nil, wasAssistive || watchers.isAttached {
            let isAbout = self.shown.contains { $0.draft.insists && $0.left == nil && self.time($0) != nil }
            if isAbout { self.attendance = Self.grace }
        }
    }

    private mutating func retime(isOver: Bool) {
        for item in self.shown.sorted(by: { $0.place < $1.place }) where item.draft.insists {
            guard (item.left == nil) == isOver, (self.time(item) != nil) == isOver else { continue }
            var item = item
            item.left = self.time(item).map { item.leases.isEmpty ? max(0, $0 - Self.grace) : $0 }
            self.put(item)
            self.note("updated \(item.number)\(self.left(item))")
        }
    }

    /// A restart: the audience is empty, and then attaches again.
    mutating func restart() {
        let watchers = self.watchers
        self.attendance = nil
        self.watchers = History.Watchers(isAttached: false)
        self.attend(watchers)
    }

    private mutating func configure(_ rules: Rules) {
        guard rules != self.rules else { return }
        let isDivided = rules.lanes != self.rules.lanes
        self.rules = rules
        self.note("configured")
        if isDivided {
            self.busy = Array(repeating: self.busy.max() ?? 0, count: 3)
            for index in self.shown.indices { self.shown[index].lane = self.lane(self.shown[index].draft.placement) }
            for index in self.waiting.indices {
                self.waiting[index].lane = self.lane(self.waiting[index].draft.placement)
            }
            for index in self.delayed.indices {
                self.delayed[index].lane = self.lane(self.delayed[index].draft.placement)
            }
        }
        self.sortAndYield()
    }

    // MARK: - Order

    func lane(_ placement: Placement) -> Int {
        switch (self.rules.lanes, placement) {
        case (.shared, _), (.placement, .top): 0
        case (.placement, .center): 1
        case (.placement, .bottom): 2
        }
    }

    mutating func put(_ item: Item) {
        if let index = self.shown.firstIndex(where: { $0.number == item.number }) { self.shown[index] = item }
        if let index = self.waiting.firstIndex(where: { $0.number == item.number }) { self.waiting[index] = item }
        if let index = self.delayed.firstIndex(where: { $0.number == item.number }) { self.delayed[index] = item }
    }

    /// Whether the newest toast ends all others.
    var keepsOne: Bool { self.rules.mode == .replaceAll || self.rules.mode == .replace }

    mutating func sortAndYield(yields: Bool = true) {
        let urgency: [Role: Int] = [.error: 3, .warning: 2, .success: 1, .info: 0]
        let mode = self.rules.mode
        self.shown.sort { $0.place < $1.place }
        self.waiting.sort { first, second in
            let (left, right) = (urgency[first.draft.role] ?? 0, urgency[second.draft.role] ?? 0)
            return mode == .priority && left != right ? left > right : first.age < second.age
        }
        guard yields, self.keepsOne else { return }
        for lane in 0..<3 {
            let (waiting, shown) = (self.waiting.filter { $0.lane == lane }, self.shown.filter { $0.lane == lane })
            guard let last = waiting.last else { continue }
            let newest = max(last.age, shown.map(\.age).max() ?? 0)
            for item in waiting where item.age != newest { self.dismiss(item, "replaced") }
            guard mode == .replaceAll, last.age == newest else { continue }
            for item in shown where item.seen >= self.rules.minimum { self.dismiss(item, "replaced") }
        }
    }

    func left(_ item: Item) -> String { item.left.map { " for \($0 * Self.step)" } ?? "" }

    mutating func note(_ line: String) {
        self.log.append("\(self.now * Self.step) \(line)")
    }
}
