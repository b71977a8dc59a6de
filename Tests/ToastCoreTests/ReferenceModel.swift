import ToastCore

/// The rules of the engine once more, as simply as they can be said.
///
/// Time passes in steps of 50 ms, and at each step everything is counted down by one. There are no deadlines and no
/// events, and nothing is shared with the engine.
struct ReferenceModel {
    struct Item {
        let number: Int
        var role: Role
        var duration: Int?
        var patience: Int?
    }

    /// Milliseconds of a step.
    static let step = 50

    private(set) var log: [String] = []
    private(set) var waiting: [Item] = []
    private(set) var shown: Item?
    private(set) var gone: [Int: String?] = [:]
    private var count = 0
    private var left: Int?
    private var leases: [(holder: String, left: Int)] = []
    private var busy = 0
    private var now = 0
    private var mode: QueueMode
    private let capacity: Int
    private var isAttached = false
    private var isAssistive = false

    init(mode: QueueMode, capacity: Int) {
        self.mode = mode
        self.capacity = capacity
    }

    mutating func pass() {
        self.now += 1
        self.busy = max(0, self.busy - 1)
        if self.leases.isEmpty { self.left = self.left.map { $0 - 1 } }
        for index in self.leases.indices { self.leases[index].left -= 1 }
        while let index = self.leases.firstIndex(where: { $0.left == 0 }), let shown = self.shown {
            self.note("released \(shown.number) \(self.leases.remove(at: index).holder)")
        }
        if self.left == 0, let shown = self.shown { self.dismiss(shown.number, "timeout") }
        for index in self.waiting.indices { self.waiting[index].patience = self.waiting[index].patience.map { $0 - 1 } }
        for item in self.waiting.sorted(by: { $0.number < $1.number }) where item.patience == 0 {
            self.dismiss(item.number, "expired")
        }
        self.present()
    }

    /// Does what the action says, and tells what the engine must answer.
    mutating func perform(_ action: History.Action) -> String {
        defer { self.present() }
        switch action {
        case .post(let roles, let duration, let patience):
            guard self.mode == .replaceAll || self.waiting.count + roles.count <= self.capacity else { return "full" }
            for role in roles {
                self.note("enqueued \(self.count)")
                self.waiting.append(Item(number: self.count, role: role, duration: duration, patience: patience))
                self.count += 1
            }
            self.sortAndYield()
        case .dismiss(let number):
            guard number < self.count else { return "unknown" }
            if self.gone[number] == nil { self.dismiss(number, "swipe") }
        case .act(let number):
            guard number < self.count else { return "unknown" }
            guard self.shown?.number == number else {
                guard let reason = self.gone[number] else { return "not shown" }
                return reason == "action" ? "" : "gone"
            }
            self.note("acted \(number)")
            self.dismiss(number, "action")
        case .hold(let number, let holder, let lease):
            guard number < self.count else { return "unknown" }
            guard self.shown?.number == number else { return self.gone[number] == nil ? "not shown" : "gone" }
            if self.leases.contains(where: { $0.holder == holder && $0.left == lease }) { break }
            self.leases.removeAll { $0.holder == holder }
            self.leases.append((holder, lease))
            self.note("held \(number) \(holder)")
        case .release(let number, let holder):
            guard number < self.count else { return "unknown" }
            guard self.shown?.number == number, self.leases.contains(where: { $0.holder == holder }) else { break }
            self.leases.removeAll { $0.holder == holder }
            self.note("released \(number) \(holder)")
        case .update(let number, let role, let duration):
            guard number < self.count else { return "unknown" }
            guard self.gone[number] == nil else { return "gone" }
            self.update(number, role, duration)
        case .clear:
            if let shown = self.shown { self.dismiss(shown.number, "cleared") }
            for item in self.waiting { self.dismiss(item.number, "cleared") }
        case .mode(let mode):
            guard mode != self.mode else { break }
            self.mode = mode
            self.note("configured")
            self.sortAndYield()
        case .attach(let isAssistive): (self.isAttached, self.isAssistive) = (true, isAssistive)
        case .detach: (self.isAttached, self.isAssistive) = (false, false)
        }
        return ""
    }

    private mutating func update(_ number: Int, _ role: Role?, _ duration: Int?) {
        if var item = self.shown, item.number == number {
            guard duration != nil || role ?? item.role != item.role else { return }
            item.role = role ?? item.role
            item.duration = duration ?? item.duration
            if duration != nil { self.left = self.time(item) }
            self.shown = item
            self.note("updated \(number)")
        } else if let index = self.waiting.firstIndex(where: { $0.number == number }) {
            let old = self.waiting[index]
            self.waiting[index].role = role ?? old.role
            self.waiting[index].duration = duration ?? old.duration
            guard self.waiting[index].role != old.role || self.waiting[index].duration != old.duration else { return }
            self.note("updated \(number)")
            self.sort()
        }
    }

    private func time(_ item: Item) -> Int? {
        item.duration.map { self.isAssistive ? $0 * 3 / 2 : $0 }
    }

    private mutating func sort() {
        let urgency: [Role: Int] = [.error: 3, .warning: 2, .success: 1, .info: 0]
        let mode = self.mode
        self.waiting.sort { first, second in
            let (left, right) = (urgency[first.role] ?? 0, urgency[second.role] ?? 0)
            return mode == .priority && left != right ? left > right : first.number < second.number
        }
    }

    private mutating func sortAndYield() {
        self.sort()
        guard self.mode == .replaceAll, let newest = self.waiting.last else { return }
        let isNewest = (self.shown?.number ?? -1) < newest.number
        for item in self.waiting where !isNewest || item.number != newest.number {
            self.dismiss(item.number, "replaced")
        }
        if isNewest, let shown = self.shown { self.dismiss(shown.number, "replaced") }
    }

    private mutating func present() {
        guard self.shown == nil, self.busy == 0, self.isAttached, !self.waiting.isEmpty else { return }
        let item = self.waiting.removeFirst()
        self.shown = item
        self.left = self.time(item)
        self.note("presented \(item.number)")
    }

    private mutating func dismiss(_ number: Int, _ reason: String) {
        self.note("dismissed \(number) \(reason)")
        self.gone[number] = reason
        guard self.shown?.number == number else {
            self.waiting.removeAll { $0.number == number }
            return
        }
        self.shown = nil
        self.left = nil
        self.leases = []
        self.busy = self.mode == .replaceAll ? 7 : 11
    }

    private mutating func note(_ line: String) {
        self.log.append("\(self.now * Self.step) \(line)")
    }
}
