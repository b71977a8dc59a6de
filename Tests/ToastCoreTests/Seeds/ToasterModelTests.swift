import Testing
import ToastCore

/// The assertions of Toaster's own tests about its model and its theme, each as a test of toastd.
@Suite struct ToasterModelTests {
    private let toaster: EffectiveSettings

    init() throws {
        self.toaster = try Settings(json: ["preset": "toaster"]).effective
    }

    /// The theme of the test bundle's `ToasterConfig.plist`.
    private let custom: JSON = [
        "theme": [
            "background": "444444", "backgroundDark": "555555", "textColor": "666666", "textColorDark": "777777",
            "subtextColor": "888888", "subtextColorDark": "999999", "errorColor": "101010", "warningColor": "111111",
            "infoColor": "222222", "successColor": "333333",
        ]
    ]

    @Test func toasterDefaultDuration() {
        #expect(self.toaster.duration.interval == Interval(seconds: 6))
    }

    @Test func toasterInitKeepsItsValues() throws {
        let draft = try ToastDraft(json: ["role": "warning", "title": "T", "message": "M", "duration": 10])
        #expect(draft.duration?.interval == Interval(seconds: 10))
        #expect(draft.title.text == .raw("T"))
        #expect(draft.message == .raw("M"))
        #expect(draft.role == .warning)
    }

    @Test(arguments: [
        (Role.error, "error_color"), (.info, "info_color"), (.success, "success_color"), (.warning, "warning_color"),
    ])
    func toasterTypeKeys(role: Role, key: String) {
        #expect(Theme.Key(role).propertyListName == key)
    }

    @Test func toasterPropertyListHasTenKeys() {
        #expect(
            Set(Theme.Key.allCases.map(\.propertyListName)) == [
                "background", "background_dark", "error_color", "info_color", "subtext_color", "subtext_color_dark",
                "success_color", "text_color", "text_color_dark", "warning_color",
            ]
        )
    }

    /// Toaster: text primary, subtext secondary, background systemBackground.
    ///
    /// On purpose different: the subtext is the secondary label's grey with more of it, 73 instead of 60 percent,
    /// because Toaster's own has a contrast of 3.44 and claims 4.5 (bug 20).
    @Test func toasterLightDefaults() {
        #expect(self.toaster.theme[.textColor] == .black)
        #expect(self.toaster.theme[.subtextColor] == Color(red: 0x3C, green: 0x3C, blue: 0x43, opacity: 0xB9))
        #expect(self.toaster.theme[.background] == .white)
    }

    /// Toaster: the same but the background, which is systemGray5.
    @Test func toasterDarkDefaults() {
        #expect(self.toaster.theme[.textColorDark] == .white)
        #expect(self.toaster.theme[.subtextColorDark] == Color(red: 0xEB, green: 0xEB, blue: 0xF5, opacity: 0x99))
        #expect(self.toaster.theme[.backgroundDark] == Color(hex: "2C2C2E"))
    }

    /// Toaster: red, blue, green, orange of the system.
    ///
    /// On purpose different: green and orange are darker, because the system's are below 3 on white.
    @Test func toasterAccentDefaults() {
        #expect(self.toaster.theme[.errorColor] == Color(hex: "FF3B30"))
        #expect(self.toaster.theme[.infoColor] == Color(hex: "007AFF"))
        #expect(self.toaster.theme[.successColor] == Color(hex: "2AA148"))
        #expect(self.toaster.theme[.warningColor] == Color(hex: "D17A00"))
    }

    @Test(
        arguments: [
            (.textColor, 0x66), (.subtextColor, 0x88), (.background, 0x44), (.errorColor, 0x10), (.infoColor, 0x22),
            (.successColor, 0x33), (.warningColor, 0x11), (.backgroundDark, 0x55), (.textColorDark, 0x77),
            (.subtextColorDark, 0x99),
        ] as [(Theme.Key, UInt8)]
    )
    func toasterCustomTheme(key: Theme.Key, grey: UInt8) throws {
        let theme = try Settings(json: self.custom).effective.theme
        #expect(theme[key] == Color(red: grey, green: grey, blue: grey, opacity: 255))
    }

    @Test(arguments: Theme.Key.allCases)
    func toasterMissingKeyHasItsOwnDefaultOnly(missing: Theme.Key) throws {
        let custom = try Settings(json: self.custom)
        let settings = try custom.applying([
            "preset": "toaster", "theme": .object([missing.rawValue: .null]),
        ])
        for key in Theme.Key.allCases {
            let expected = key == missing ? self.toaster.theme[key] : custom.effective.theme[key]
            #expect(settings.effective.theme[key] == expected)
            #expect(settings.effective.theme.resolved(key) == expected)
        }
    }

    @Test func toasterHex() throws {
        #expect(Color(hex: "FFFFFF") == .white)
        #expect(Color(hex: "#000000") == .black)
        let half = try #require(Color(hex: "00000080"))
        #expect((half.red, half.green, half.blue) == (0, 0, 0))
        #expect((Double(half.opacity) / 255 * 100).rounded() == 50)
    }
}
