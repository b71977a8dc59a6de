import ToastCore

/// The invariants of a channel's events, also when ticks are late: in order, no toast lost or shown twice, never more
/// toasts on screen than allowed, each dismissed once.
struct Promises {
    private var states: [ToastID: ToastState] = [:]
    private var placements: [ToastID: Placement] = [:]
    private var shown: [ToastID: Placement?] = [:]
    private var settings = Settings().effective
    private var last = EngineScenario.start

    /// The first promise that these events break, if any.
    static func fault(of events: [Event], in engine: Engine) -> String? {
        var promises = Self()
        for event in events {
            if let fault = promises.check(event) { return fault }
        }
        for (id, state) in promises.states where engine.toast(id)?.state != state { return "\(id) is not \(state)" }
        return nil
    }

    private mutating func check(_ event: Event) -> String? {
        guard event.at >= self.last else { return "\(event.type) before its time" }
        self.last = event.at
        switch event.kind {
        case .enqueued(let toast):
            self.placements[toast.id] = toast.placement
            return self.states.updateValue(.queued, forKey: toast.id) == nil ? nil : "enqueued twice"
        case .updated(let toast, _):
            self.placements[toast.id] = toast.placement
            return self.states[toast.id] == toast.state ? nil : "an update to \(toast.state)"
        case .presented(let toast, _):
            let lane = self.lane(of: toast.id)
            guard self.states.updateValue(.presented, forKey: toast.id) == .queued else { return "presented again" }
            guard self.shown.values.count(where: { $0 == lane }) < self.room else { return "too many on screen" }
            self.shown[toast.id] = .some(lane)
        case .dismissed(let id, let reason, _, let exit, _):
            guard let state = self.states.updateValue(.dismissed, forKey: id), state != .dismissed else {
                return "gone twice"
            }
            let isSwapped = self.settings.mode == .replace && reason == .replaced
            guard (exit > .zero) == (state == .presented && !isSwapped) else { return "an exit of \(exit)" }
            self.shown[id] = nil
        case .configured(let settings):
            let isDivided = settings.effective.lanes != self.settings.lanes
            self.settings = settings.effective
            if isDivided { for id in self.shown.keys { self.shown[id] = .some(self.lane(of: id)) } }
        case .acted, .held, .released: break
        }
        return nil
    }

    private var room: Int { self.settings.mode == .stack ? self.settings.maxVisible ?? .max : 1 }

    private func lane(of id: ToastID) -> Placement? {
        self.settings.lanes == .placement ? self.placements[id] : nil
    }
}
