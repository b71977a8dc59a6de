import Testing
import ToastCore

/// The assertions of Y-Snackbar's own tests about its models and their defaults, each as a test of toastd.
@Suite struct YSnackbarModelTests {
    private let settings: EffectiveSettings

    init() throws {
        self.settings = try Settings(json: ["preset": "ysnackbar"]).effective
    }

    @Test func snackDefaults() throws {
        let snack = try ToastDraft(json: ["message": "m"])
        #expect(snack.reuseIdentifier == nil)
        #expect(snack.details.icon == nil)
        #expect(snack.appearance == nil)
        #expect(!snack.details.requiresInteraction)
        #expect(self.settings.title == .none)
        #expect(self.settings.duration.interval == Interval(seconds: 4))
        #expect(self.settings.placement == .top)
    }

    @Test func aSnackWithoutTitleGetsNone() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.apply(.configure(try Settings(json: ["preset": "ysnackbar"])), at: 0)
        try stage.post("m", at: 0)
        try stage.post("n", at: 0, with: ["title": "T"])
        #expect(try stage.toast("m").title == ToastTitle.none)
        #expect(try stage.toast("n").title == .custom(.raw("T")))
    }

    @Test func snackFullInitKeepsItsValues() throws {
        let snack = try ToastDraft(json: [
            "placement": "bottom", "title": "Network Reachable", "message": "You are currently online.",
            "reuseIdentifier": "yml.co", "icon": "wifi", "duration": 8, "requiresInteraction": true,
            "appearance": ["borderWidth": 2],
        ])
        #expect(snack.placement == .bottom)
        #expect(snack.title.text == .raw("Network Reachable"))
        #expect(snack.message == .raw("You are currently online."))
        #expect(snack.reuseIdentifier == "yml.co")
        #expect(snack.details.icon == "wifi")
        #expect(snack.duration?.interval == Interval(seconds: 8))
        #expect(snack.details.requiresInteraction)
        #expect(snack.appearance == ["borderWidth": 2])
    }

    @Test func snackAppearanceDefaults() {
        let appearance = self.settings.appearance
        for text in [appearance["title"], appearance["message"]] {
            #expect(text?["color"] == "#000000")
            #expect(text?["colorDark"] == "#FFFFFF")
        }
        #expect(appearance["title"]?["font"] == ["size": 17, "weight": 700])
        #expect(appearance["message"]?["font"] == ["size": 17, "weight": 400])
        #expect(appearance["borderColor"] == "#000000")
        #expect(appearance["borderColorDark"] == "#FFFFFF")
        #expect(appearance["borderWidth"] == 0)
    }

    @Test func snackBackgroundIsSystemInTheLightAndTertiaryInTheDark() {
        #expect(self.settings.appearance["backgroundColor"] == "#FFFFFF")
        #expect(self.settings.appearance["backgroundColorDark"] == "#2C2C2E")
    }

    @Test func snackElevationDefaults() {
        #expect(
            self.settings.appearance["elevation"]
                == ["x": 0, "y": 2.33, "blur": 6.33, "spread": -0.33, "color": "#000000", "opacity": 0.46]
        )
    }

    @Test func snackLayoutDefaults() {
        #expect(
            self.settings.appearance["layout"]
                == ["inset": 16, "labelSpacing": 8, "iconSpacing": 16, "cornerRadius": 4, "iconSize": 32]
        )
    }

    @Test func managerAppearanceDefaults() {
        var add = Animation(.spring, seconds: 0.4)
        (add.damping, add.velocity) = (0.6, 0.4)
        #expect(self.settings.animations.enter == add)
        #expect(self.settings.animations.move == Animation(.easeInOut, seconds: 0.3))
        #expect(self.settings.animations.exit == Animation(.easeOut, seconds: 0.3))
        #expect(self.settings.layout == ["spacing": 16, "inset": 16, "maximumWidth": 428])
    }

    @Test func managerAppearanceChangesAreKept() throws {
        let changed = try Settings(json: [
            "preset": "ysnackbar", "layout": ["spacing": 24, "inset": 24],
            "animations": ["enter": ["curve": "easeIn", "duration": 0.7]],
        ]).effective
        #expect(changed.animations.enter == Animation(.easeIn, seconds: 0.7))
        #expect(changed.layout == ["spacing": 24, "inset": 24, "maximumWidth": 428])
        #expect(changed.animations.exit == self.settings.animations.exit)
    }
}
