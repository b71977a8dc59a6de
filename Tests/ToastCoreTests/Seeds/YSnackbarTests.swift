import Testing
import ToastCore

/// The assertions of Y-Snackbar's own tests about its stacks, each as a test of the engine.
///
/// Its hash cases are left out: identity is not transitive, so toasts are never hashed (bug 32).
@Suite struct YSnackbarTests {
    private var stage: EngineScenario

    init() throws {
        self.stage = try EngineScenario(["preset": "ysnackbar"])
    }

    /// A snack of the source: its message is its name unless it says otherwise.
    private mutating func add(_ name: String, at seconds: Double = 0, _ members: JSONObject = [:]) throws {
        try self.stage.post(name, duration: 4, at: seconds, with: members)
    }

    /// What is on screen from the top down: the oldest is at the edge, so at the bottom the newest is the highest.
    private func rows(_ placement: Placement) -> [String] {
        let oldestFirst = self.stage.screen(placement)
        return placement == .bottom ? oldestFirst.reversed() : oldestFirst
    }

    // MARK: - Equality

    @Test(
        arguments: [
            (["reuseIdentifier": "1", "message": "a"], ["message": "b"], false),
            (["message": "a"], ["reuseIdentifier": "1", "message": "b"], false),
            (["message": "a"], ["message": "b"], false),
            (["reuseIdentifier": "1", "message": "a"], ["reuseIdentifier": "2", "message": "a"], false),
            (["reuseIdentifier": "1", "message": "a"], ["reuseIdentifier": "1", "message": "b"], true),
            (["title": "t", "message": "a"], ["title": "t", "message": "b"], false),
            (["title": "t", "message": "a"], ["title": "u", "message": "a"], false),
            (["title": "t", "message": "a"], ["message": "a"], false),
            (["message": "a"], ["title": "t", "message": "a"], false),
            (["message": "a"], ["message": "a"], true),
            (["title": "t", "message": "a"], ["title": "t", "message": "a"], true),
        ] as [(JSONObject, JSONObject, Bool)]
    )
    mutating func snackEquality(first: JSONObject, second: JSONObject, areEqual: Bool) throws {
        try self.add("first", first)
        try self.add("second", at: 1, second)
        #expect(self.stage.screen == (areEqual ? ["first"] : ["first", "second"]))
    }

    @Test mutating func whatElseDiffersDoesNotMatter() throws {
        try self.add("a", ["icon": "wifi", "duration": 9, "appearance": ["backgroundColor": "#111111"]])
        try self.add("again", at: 1, ["message": "a", "icon": "star.fill", "role": "info"])
        #expect(self.stage.screen == ["a"])
    }

    // MARK: - Manager

    @Test mutating func theDefaultAlignmentIsTop() throws {
        try self.add("a")
        #expect(self.stage.screen(.top) == ["a"])
        #expect(self.stage.screen(.bottom) == [])
    }

    @Test mutating func anotherDefaultAlignmentIsUsed() throws {
        try self.stage.apply(.configure(try Settings(json: ["preset": "ysnackbar", "placement": "bottom"])), at: 0)
        try self.add("a")
        #expect(self.stage.screen(.top) == [])
        #expect(self.stage.screen(.bottom) == ["a"])
    }

    @Test(arguments: [Placement.top, .bottom])
    mutating func removingTheOnlySnackEmptiesItsStack(placement: Placement) throws {
        try self.add("a", ["placement": .string(placement.rawValue)])
        try self.stage.apply(.dismiss(try self.stage.id("a"), .api), at: 1)
        #expect(self.stage.screen == [])
        #expect(self.stage.engine.nextDeadline == nil)
    }

    @Test mutating func theSameMessageLivesAtTheTopAndAtTheBottom() throws {
        try self.add("top", ["message": "same", "reuseIdentifier": "x"])
        try self.add("bottom", ["message": "same", "reuseIdentifier": "x", "placement": "bottom"])
        #expect(self.stage.screen(.top) == ["top"])
        #expect(self.stage.screen(.bottom) == ["bottom"])
    }

    // MARK: - Order

    @Test(arguments: [Placement.top, .bottom])
    mutating func snacksStandInTheOrderInWhichTheyCame(placement: Placement) throws {
        for name in ["1", "2", "3"] { try self.add(name, ["placement": .string(placement.rawValue)]) }
        #expect(self.stage.screen(placement) == ["1", "2", "3"])
        #expect(self.rows(placement) == (placement == .top ? ["1", "2", "3"] : ["3", "2", "1"]))
    }

    @Test(arguments: [
        ("1", ["2", "3", "1"], ["2", "3", "1"], ["1", "3", "2"]),
        ("2", ["1", "3", "2"], ["1", "3", "2"], ["2", "3", "1"]),
        ("3", ["1", "2", "3"], ["1", "2", "3"], ["3", "2", "1"]),
    ])
    mutating func aDuplicateBecomesTheNewest(name: String, model: [String], top: [String], bottom: [String]) throws {
        for placement in [Placement.top, .bottom] {
            for number in ["1", "2", "3"] {
                let members: JSONObject = ["message": .string(number), "placement": .string("\(placement)")]
                try self.add("\(placement)\(number)", members)
            }
            let members: JSONObject = ["message": .string(name), "placement": .string("\(placement)")]
            try self.add("\(placement)4", at: 1, members)
            #expect(self.stage.screen(placement) == model.map { "\(placement)\($0)" })
            #expect(self.rows(placement) == (placement == .top ? top : bottom).map { "\(placement)\($0)" })
        }
    }

    @Test(arguments: [("1", ["2", "3"]), ("2", ["1", "3"]), ("3", ["1", "2"])])
    mutating func removingOneLeavesTheOthersInOrder(name: String, rest: [String]) throws {
        for placement in [Placement.top, .bottom] {
            let names = ["1", "2", "3"].map { "\(placement)\($0)" }
            for name in names { try self.add(name, ["placement": .string(placement.rawValue)]) }
            try self.stage.apply(.dismiss(try self.stage.id("\(placement)\(name)"), .swipe), at: 0)
            #expect(self.stage.screen(placement) == rest.map { "\(placement)\($0)" })
        }
    }

    // MARK: - Time

    @Test(arguments: [JSON.integer(0), "indefinite"])
    mutating func aSnackWithoutATimeStays(duration: JSON) throws {
        try self.add("a", ["duration": duration])
        try self.stage.run(until: 10_000)
        #expect(self.stage.screen == ["a"])
    }

    /// The source takes NaN for "forever" by its comment and for "at once" by its code; here it is no number at all.
    @Test func aDurationThatIsNoNumberIsRefused() {
        #expect(throws: ValidationError.self) { try ToastDraft(json: ["message": "m", "duration": .double(.nan)]) }
    }

    @Test mutating func aSnackGoesWhenItsTimeIsOver() throws {
        try self.add("a", ["duration": 1])
        try self.stage.run(until: 1.399)
        #expect(self.stage.screen == ["a"])
        try self.stage.run(until: 1.4)
        #expect(self.stage.screen == [])
    }

    @Test mutating func timeBeginsWhenTheEntryEnds() throws {
        try self.add("a")
        #expect(self.stage.timeline.last == "0 presented a for 4.4")
    }

    @Test mutating func aDuplicateHasItsFullTimeFromTheEndOfItsMove() throws {
        try self.add("a")
        try self.add("b", at: 1)
        try self.add("again", at: 3, ["message": "a"])
        #expect(self.stage.timeline.last == "3 updated a moved for 4.3")
        try self.stage.run(until: 20)
        #expect(self.stage.shown.suffix(2) == ["5.4 dismissed b timeout exit 0.3", "7.3 dismissed a timeout exit 0.3"])
    }

    @Test mutating func aDuplicateThatIsTheNewestHasItsFullTimeAtOnce() throws {
        try self.add("a")
        try self.add("again", at: 3, ["message": "a"])
        #expect(self.stage.timeline.last == "3 updated a moved for 4")
    }

    @Test mutating func eachSnackHasATimeOfItsOwn() throws {
        try self.add("a", ["duration": 3])
        try self.add("b", at: 0.5, ["duration": 1])
        try self.add("c", at: 0.5, ["placement": "bottom"])
        try self.stage.run(until: 20)
        #expect(
            self.stage.shown.suffix(3) == [
                "1.9 dismissed b timeout exit 0.3", "3.4 dismissed a timeout exit 0.3",
                "4.9 dismissed c timeout exit 0.3",
            ]
        )
    }

    @Test mutating func aScreenReaderHoldsWhatRequiresAnInteraction() throws {
        try self.stage.apply(.audience(Audience(isAttached: true, isAssistive: true)), at: 0)
        try self.add("a", ["requiresInteraction": true])
        try self.add("b")
        try self.stage.run(until: 1000)
        #expect(self.stage.screen == ["a"])
    }

    // MARK: - Update

    @Test mutating func anUpdateReplacesEveryField() throws {
        let old: JSONObject = [
            "reuseIdentifier": "r", "title": "T", "icon": "wifi", "data": 1, "progress": ["value": 1],
        ]
        try self.add("a", old)
        try self.add("again", at: 1, ["reuseIdentifier": "r", "message": "new", "duration": 2, "style": "pale"])
        let toast = try self.stage.toast("a")
        #expect(toast.message == .raw("new"))
        #expect(toast.title == ToastTitle.none)
        #expect(toast.icon == nil && toast.data == nil && toast.progress == nil)
        #expect(toast.style.rawValue == "pale")
        #expect(toast.duration == .finite(Interval(seconds: 2)))
        #expect(toast.revision == 2)
    }
}
