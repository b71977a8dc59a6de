import Testing

@testable import ToastCore

extension Generator {
    /// A toast as publishers send it, with whatever members they can write.
    mutating func toastDocument() -> JSONObject {
        var toast = JSONObject()
        let isTitled = self.chance(40)
        if isTitled { toast["title"] = self.localized() }
        if !isTitled, self.chance(40) { toast["title"] = self.json(of: [.null, ["automatic": true]]) }
        if !isTitled || self.chance(50) { toast["message"] = self.localized() }
        for (name, values) in Self.members where self.chance(25) { toast[name] = self.one(of: values) }
        if self.chance(30) { toast["actions"] = self.actions() }
        if self.chance(30) { toast["data"] = self.json() }
        if self.chance(30) {
            toast["reuseIdentifier"] = .string(self.text())
            if self.chance(30) { toast["whenPresent"] = "replace" }
        }
        return toast
    }

    private static let members: [(String, [JSON])] = [
        ("role", ["success", "error", "warning", "info"]),
        ("icon", ["none", "wifi.slash", "https://example.com/a.png", "/a.svg"]),
        ("style", ["glass", "own-1"]),
        ("placement", ["top", "center", "bottom"]),
        ("align", ["start", "center", "end"]),
        ("duration", ["short", "long", "indefinite", 0, 0.001, 0.35, 3.1, 31_536_000]),
        ("haptic", ["automatic", "light", "none"]),
        (
            "progress",
            [
                ["value": 0.1, "total": 0.3], ["value": 7, "total": 3, "dismissAfter": 0.05], ["indeterminate": true],
                ["value": 1e300, "total": 1.7e308],
            ]
        ),
        ("image", [["url": "http://example.com/a?b"], ["url": "/a", "alt": "a \"b\""], ["url": "/", "alt": ""]]),
        ("link", ["https://example.com/ä", "/orders/1#x"]),
        ("requiresInteraction", [true, false]),
        ("dimsBackground", [true, false]),
        (
            "appearance",
            [
                ["backgroundColor": "1e90ffcc", "title": ["font": ["size": 12.5, "weight": 700]]], [:],
                ["elevation": ["x": -1.5, "opacity": 0.1]],
            ]
        ),
        ("expiresAfter", [0, 0.001, 12.345, 31_536_000]),
        ("notBefore", ["2026-11-24T10:00:00Z", "2026-11-24T10:00:00.123Z"]),
    ]

    private mutating func json(of values: [JSON]) -> JSON { self.one(of: values) }

    private mutating func localized() -> JSON {
        guard self.chance(40) else { return .string(self.text()) }
        var text: JSONObject = ["key": .string(self.text())]
        if self.chance(50) { text["arguments"] = ["a", 1, 2.5, true, .string(self.text())] }
        if self.chance(50) { text["default"] = .string(self.chance(50) ? "" : self.text()) }
        return .object(text)
    }

    private mutating func actions() -> JSON {
        let actions = (0..<self.number(0...3)).map { number in
            var action: JSONObject = ["id": .string("a-\(number)"), "title": self.localized()]
            if self.chance(50) { action["role"] = self.json(of: ["destructive", "cancel"]) }
            if self.chance(50) { action["url"] = "https://example.com/undo" }
            if self.chance(70) { action["dismisses"] = self.json(of: [true, false, "whenDone"]) }
            if action["dismisses"] == "whenDone", self.chance(50) { action["pending"] = true }
            return JSON.object(action)
        }
        return .array(actions)
    }

    /// A draft as a publisher sent it.
    mutating func draft() throws -> ToastDraft { try ToastDraft(json: .object(self.toastDocument())) }

    var lexicon: Lexicon { Lexicon(catalogs: [:], default: .english) }

    mutating func patch() throws -> ToastPatch {
        var members = self.toastDocument()
        for (name, _) in Self.members where self.chance(10) { members[name] = .null }
        members["unknown"] = self.json()
        var limits = Limits.standard
        if self.chance(30) { (limits.textLength, limits.depth) = (self.number(0...9999), 24) }
        if self.chance(30) { limits.longest = self.interval() }
        return try ToastPatch(json: .object(members), limits: limits)
    }

    mutating func settings() throws -> Settings {
        func document(_ generator: inout Self) -> JSONObject {
            var document = JSONObject()
            for (name, value) in Self.settings where generator.chance(25) { document[name] = value }
            return document
        }
        let defaults = self.chance(50) ? [:] : try Settings(json: .object(document(&self))).members
        return try Settings(json: .object(document(&self)), over: defaults)
    }

    private static let settings: [(String, JSON)] = [
        ("preset", "noticeui"), ("mode", "stack"), ("lanes", "placement"), ("maxVisible", "unlimited"), ("pause", 0.35),
        ("style", "own-1"), ("duration", "indefinite"), ("capacity", 7), ("expiresAfter", 12.5), ("title", "none"),
        ("dimsBackground", true), ("haptics", ["info": "none"]), ("align", "end"), ("stack", "collapsed"),
        ("layout", ["inset": ["top": 1.5], "maximumWidth": "unlimited"]),
        // Values of a spring for another curve: they are stored, but not written.
        ("animations", ["move": ["response": 0.5, "delay": 0.1], "exit": ["curve": "linear"]]),
        ("theme", ["background": "fff0F0", "textColorDark": "#00000080"]), ("appearance", ["borderWidth": 0.5]),
        ("gestures", ["swipe": ["top": ["directions": [], "predictedThreshold": 99]]]),
    ]

    /// An engine that has accepted some toasts, and its answer to each publish.
    mutating func engine() throws -> (engine: Engine, publications: [Publication]) {
        var engine = Engine(channel: try self.channel(), epoch: try self.epoch(), after: self.early())
        engine.lexicon = self.lexicon
        var now = Self.start
        _ = try engine.apply(.configure(try self.settings()), at: now)
        if self.chance(50) { _ = try engine.apply(.audience(Audience(isAttached: true)), at: now) }
        var publications: [Publication] = []
        for _ in 0..<self.number(1...4) {
            now = now + Interval(milliseconds: Int64(self.number(0...3000)))
            let new = try (0..<self.number(1...3)).map { _ in NewToast(id: self.id(), draft: try self.draft()) }
            // A full queue refuses.
            guard var publication = try? engine.enqueue(new, at: now) else { continue }
            if publication.isOnlyEnqueued {
                publication.stored = Event.stored(publication.events, channel: engine.channel, epoch: engine.epoch)[...]
            }
            publications.append(publication)
            if let toast = publication.toasts.first, self.chance(40) {
                _ = try? engine.apply(.act(toast.id, action: "a-0"), at: now)
                _ = try? engine.apply(.dismiss(toast.id, self.one(of: [.api, .swipe])), at: now)
            }
        }
        return (engine, publications)
    }

    /// Toasts in any state.
    mutating func toasts() throws -> [Toast] {
        let engine = try self.engine().engine
        return engine.presented + engine.queued + engine.dismissed
    }

    mutating func toast() throws -> Toast {
        let toasts = try self.toasts()
        return toasts.isEmpty ? try self.toast() : self.one(of: toasts)
    }
}
