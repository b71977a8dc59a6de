import Testing
import ToastCore

@Suite struct ContrastTests {
    private func pointers(_ json: JSON) throws -> [String] { try Settings(json: json).warnings.map(\.pointer) }

    @Test func withoutColorsThereIsNothingToWarnOf() throws {
        #expect(try self.pointers(["mode": "stack", "style": "vibrant"]).isEmpty)
        #expect(try self.pointers(["appearance": ["borderWidth": 3, "borderColor": "#FFFFFF"]]).isEmpty)
    }

    @Test func aWarningNamesTheMemberThePairAndTheRatio() throws {
        let settings = try Settings(json: ["theme": ["textColor": "#777777"]])
        #expect(settings.warnings.count == 1)
        #expect(settings.warnings.first?.pointer == "/theme/textColor")
        #expect(settings.warnings.first?.ratio == 4.48)
        #expect(
            settings.warnings.first?.detail
                == "The title #777777 on #FFFFFF in the light has a contrast of 4.48:1; "
                + "4.5:1 is needed to read it (WCAG 2.2, 1.4.3)."
        )
        #expect(try self.pointers(["theme": ["textColor": "#767676"]]).isEmpty)
    }

    @Test func aSignNeedsThree() throws {
        #expect(try self.pointers(["theme": ["errorColor": "#949494"]]).isEmpty)
        #expect(try self.pointers(["theme": ["errorColor": "#959595"]]) == ["/theme/errorColor"])
    }

    @Test func aBackgroundIsCheckedAgainstTheDefaults() throws {
        #expect(try self.pointers(["theme": ["background": "#101010"]]) == ["/theme/background", "/theme/background"])
        #expect(
            try self.pointers(["theme": ["background": "#101010", "textColor": "#FFFFFF"]]) == ["/theme/background"]
        )
    }

    @Test func theDarkIsCheckedOnItsOwn() throws {
        #expect(try self.pointers(["theme": ["textColor": "#333333"]]).isEmpty)
        #expect(try self.pointers(["theme": ["textColorDark": "#333333"]]) == ["/theme/textColorDark"])
        // A sign has one colour for both.
        #expect(try self.pointers(["theme": ["infoColor": "#111111"]]) == ["/theme/infoColor"])
    }

    @Test func anAppearancesColorHoldsInTheDarkToo() throws {
        let red: JSONObject = ["backgroundColor": "#600000"]
        // Black and grey on dark red; in the dark, white on the same red can be read.
        #expect(
            try self.pointers(["appearance": .object(red)]) == Array(repeating: "/appearance/backgroundColor", count: 2)
        )
        var white = red
        white["title"] = ["color": "#FFFFFF"]
        white["message"] = ["color": "#FFFFFF"]
        #expect(try self.pointers(["appearance": .object(white)]).isEmpty)
        white["backgroundColorDark"] = "#FFC0C0"
        #expect(
            try self.pointers(["appearance": .object(white)]) == [
                "/appearance/title/color", "/appearance/message/color",
            ]
        )
    }

    @Test func anAppearanceLiesOverTheTheme() throws {
        let settings: JSON = [
            "theme": ["background": "#000000", "textColor": "#FFFFFF", "subtextColor": "#DDDDDD"],
            "appearance": ["title": ["color": "#222222"]],
        ]
        #expect(try self.pointers(settings).contains("/appearance/title/color"))
    }

    @Test func aPresetsColorsAreNotTheChannelsFault() throws {
        #expect(try self.pointers(["preset": "toaster", "theme": ["infoColor": "#3388FF"]]).isEmpty)
        #expect(
            try self.pointers(["preset": "ysnackbar", "appearance": ["backgroundColor": "#003366"]])
                == ["/appearance/backgroundColor", "/appearance/backgroundColor"]
        )
    }

    @Test func aToastIsCheckedInItsChannel() throws {
        let light: JSONObject = ["title": ["color": "#EEEEEE"]]
        #expect(Settings().warnings(of: light).map(\.pointer) == ["/appearance/title/color"])
        let dark = try Settings(json: ["appearance": ["backgroundColor": "#202020"]])
        #expect(dark.warnings(of: light).isEmpty)
        #expect(dark.warnings(of: [:]).isEmpty)
        let own: JSONObject = ["backgroundColor": "#F8F8F8", "backgroundColorDark": "#202020"]
        #expect(Settings().warnings(of: own).isEmpty)
    }
}
