import Testing
import ToastCore

/// Bugs of the seeds' sources that are about models, themes and settings (`docs/presets.md`), each as a test that the
/// bug would fail.
///
/// Bug 19, a test target of Toaster that does not build, has no test here.
@Suite struct SeedModelBugTests {
    /// NoticeUI lets the presenter's own default win over the global style.
    @Test func bug5TheNearestLayerWinsForEverySetting() throws {
        let theme = try Settings(json: [
            "preset": "toaster", "theme": ["textColor": "#111111"], "closeButton": false, "title": "automatic",
        ])
        #expect(theme.effective.theme[.textColor] == Color(hex: "111111"))
        #expect(theme.effective.theme[.background] == .white)
        #expect(!theme.effective.closeButton)
        #expect(theme.effective.title == .automatic)
        var stage = try EngineScenario(isAttached: false)
        let settings: JSON = ["preset": "toastui", "style": "retro", "mode": "fifo"]
        try stage.apply(.configure(try Settings(json: settings)), at: 0)
        try stage.post("channel", at: 0)
        try stage.post("toast", duration: .null, at: 0, with: ["style": "pale", "dimsBackground": false, "title": "T"])
        #expect(try stage.toast("channel").style.rawValue == "retro")
        #expect(try stage.toast("channel").placement == .center)
        #expect(try stage.toast("channel").dimsBackground)
        #expect(try stage.toast("toast").style.rawValue == "pale")
        #expect(try !stage.toast("toast").dimsBackground)
        #expect(try stage.toast("toast").duration == .indefinite)
    }

    @Test(arguments: [
        "12ZZZZ", "0x1234", "0X123456", "#12345", "1234567", "#FFF", "", "#", "##FFFFFF", "FF FF FF", "# FFFFFF",
        "-12345", "+12345", "12345G", "FFFFFF;", "１２３４５６", "#FFFFFFFFF", "ＦＦＦＦＦＦ", "١٢٣٤٥٦", "e\u{301}FFFFF",
    ])
    func bug16NoColorIsHalfRead(text: String) throws {
        #expect(Color(hex: text) == nil)
        let error = #expect(throws: ValidationError.self) {
            try Settings(json: ["theme": ["background": "#FFFFFF", "textColor": .string(text)]])
        }
        #expect(error?.issues.map(\.pointer) == ["/theme/textColor"])
    }

    @Test(arguments: [
        ("#1e90ff", "#1E90FF"), ("1E90FF", "#1E90FF"), (" #1E90FF\n", "#1E90FF"), ("\t1e90ffcc ", "#1E90FFCC"),
        ("#1E90FFFF", "#1E90FF"), ("#00000000", "#00000000"), ("\u{00A0}0A0B0C", "#0A0B0C"),
    ])
    func bug16AColorIsAllDigits(text: String, hex: String) {
        #expect(Color(hex: text)?.hex == hex)
    }

    /// Toaster ignores the whole file, and says nothing.
    @Test func bug17AValueOfTheWrongTypeIsNamed() throws {
        let error = #expect(throws: ValidationError.self) {
            try Settings(json: [
                "theme": [
                    "background": 0xFF_FFFF, "textColor": "#000000", "subtextColor": ["#000000"],
                    "titleColor": "#000000",
                    "errorColor": true,
                ]
            ])
        }
        #expect(
            error?.issues.map(\.pointer) == [
                "/theme/background", "/theme/subtextColor", "/theme/titleColor", "/theme/errorColor",
            ]
        )
    }

    /// Toaster reads and parses its file on every render.
    ///
    /// Here the text is parsed once, when it is set: the effective theme has numbers.
    @Test func bug18AThemeIsReadOnceWhenItIsSet() throws {
        let settings = try Settings(json: ["theme": ["background": " aabbcc "]])
        #expect(settings.effective.theme[.background] == Color(red: 0xAA, green: 0xBB, blue: 0xCC))
        var writer = JSONWriter()
        writer.value(settings.effective)
        #expect(String(decoding: writer.bytes, as: UTF8.self).contains(##""theme":{"background":"#AABBCC"}"##))
    }

    /// Toaster claims 4.5 and has 3.44.
    @Test(arguments: PresetName.allCases)
    func bug20DefaultsCanBeRead(name: PresetName) throws {
        #expect(try Settings(json: ["preset": .string(name.rawValue)]).warnings.isEmpty)
        // The preset's values as the channel's own settings, so that they are checked.
        #expect(try Settings(json: .object(Preset.named(name).settings)).warnings.isEmpty)
    }

    @Test func bug20ToastersOwnSubtextIsWarnedOf() throws {
        let settings = try Settings(json: ["preset": "toaster", "theme": ["subtextColor": "#3C3C4399"]])
        #expect(settings.warnings.map(\.pointer) == ["/theme/subtextColor"])
        #expect(settings.warnings.map(\.ratio) == [3.44])
    }

    /// Y-Snackbar's guard against NaN lets it through, and a negative duration removes a snack at once.
    ///
    /// JSON has no NaN; most writers write `null` for it. A value that is not a length of time is refused; 0 means
    /// indefinite.
    @Test(arguments: ["NaN", "nan", "Infinity", "-0.001", "-1", "1e999", "\"NaN\""])
    func bug33ADurationIsALengthOfTime(text: String) throws {
        #expect(throws: (any Error).self) {
            let json = try JSON(parsing: Array(#"{"message":"m","duration":\#(text)}"#.utf8))
            _ = try ToastDraft(json: json)
        }
        #expect(throws: (any Error).self) {
            let json = try JSON(parsing: Array(#"{"duration":\#(text)}"#.utf8))
            _ = try Settings(json: json)
        }
    }

    @Test func bug33ZeroIsForeverAndNullIsNotSet() throws {
        #expect(try ToastDraft(json: ["message": "m", "duration": 0]).duration == .indefinite)
        #expect(try ToastDraft(json: ["message": "m", "duration": .null]).duration == nil)
        #expect(try Settings(json: ["preset": "ysnackbar", "duration": .null]).effective.duration == .long)
    }

    /// The comment says 8, the source and the tests 4.
    @Test func bug34ACornerIsWhatTheSourceSays() throws {
        let settings = try Settings(json: ["preset": "ysnackbar"])
        #expect(settings.effective.appearance["layout"]?["cornerRadius"] == 4)
        let preset = Preset.named(.ysnackbar)
        #expect(preset.values.first { $0.path == "appearance/layout/cornerRadius" }?.value == 4)
    }

    /// Y-Snackbar 1.0.0 makes containers that do not know the manager's appearance.
    @Test func bug35AppearanceHoldsForEveryLaneAndForWhatComesLater() throws {
        let entry: JSON = ["enter": ["duration": 1]]
        var stage = try EngineScenario(["preset": "ysnackbar", "layout": ["spacing": 24], "animations": entry])
        // Each lane, when it is first used and when it is used again after it was empty.
        for second in [0.0, 20] {
            for placement in ["top", "bottom"] {
                let name = "\(placement)-\(Int(second))"
                try stage.post(name, duration: 4, at: second, with: ["placement": .string(placement)])
            }
        }
        let entries = stage.shown.filter { $0.contains(" presented ") }
        #expect(
            entries == [
                "0 presented top-0 for 5", "0 presented bottom-0 for 5",
                "20 presented top-20 for 5", "20 presented bottom-20 for 5",
            ]
        )
        var writer = JSONWriter()
        stage.engine.writeSnapshotFrame(to: &writer, at: EngineScenario.start, isReset: false)
        let settings = try JSON(parsing: writer.bytes)["effective"]
        #expect(settings?["layout"] == ["spacing": 24, "inset": 16, "maximumWidth": 428])
    }

    /// The document says 8 points at the top and 16 at the sides, and the source 16: each edge has its own.
    @Test func bug43WhatTheDocumentPromisesIsWhatHolds() throws {
        let settings = try Settings(json: ["preset": "inapp"]).effective
        #expect(settings.layout["inset"] == ["top": 8, "bottom": 16, "leading": 16, "trailing": 16])
        #expect(settings.gestures["tap"] == "dismiss")
        #expect(
            settings.gestures["swipe"]?["top"] == ["directions": ["up"], "threshold": 80, "predictedThreshold": 200]
        )
        #expect(settings.duration.interval == Interval(seconds: 3))
        #expect(settings.appearance["layout"]?["cornerRadius"] == 32)
        #expect(try Settings(json: ["preset": "inapp", "layout": ["inset": 8]]).effective.layout["inset"] == 8)
    }
}
