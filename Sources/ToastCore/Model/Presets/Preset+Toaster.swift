extension Preset {
    /// Toaster 0.5.0 (`glowcap/Toaster`), with the swipe and the haptics of 1.0.0.
    static let toaster = Self(
        .toaster,
        "Toaster: one banner at the bottom, whose content is swapped in place.",
        [
            Value("mode", "replace", "source: a new value takes the place of the old one"),
            Value("deduplication", "equal", "source: an equal value is no change"),
            Value("minimumVisible", 0, "source: what is shown is replaced at once"),
            Value("style", "toaster", "the system's own look"),
            Value("placement", "bottom", "source: slides in from the bottom edge"),
            Value("duration", 6, "README, Duration"),
            Value("title", "none", "source: a title is always the caller's"),
            Value("closeButton", true, "README, Guidelines 3 and 4"),
            Value("spokenPrefix", true, "README, Guideline 2"),

            Value("haptics/success", "success", "source 1.0.0"),
            Value("haptics/error", "error", "source 1.0.0"),
            Value("haptics/warning", "warning", "source 1.0.0"),
            Value("haptics/info", "success", "source 1.0.0"),

            Value("layout/inset", 16, "source: horizontal padding"),
            Value("layout/maximumWidth", "unlimited", "source: as wide as the screen"),

            Value("animations/enter/curve", "spring", "source: a spring of SwiftUI's own parameters"),
            Value("animations/enter/response", 0.55, "SwiftUI: a spring's own response"),
            Value("animations/enter/damping", 0.825, "SwiftUI: a spring's own damping"),
            Value("animations/enter/duration", 0.55, "SwiftUI: a spring's own response"),
            Value("animations/move/duration", 0, "source: content is swapped without animation"),
            Value("animations/exit/curve", "easeInOut", "source: SwiftUI's default animation"),
            Value("animations/exit/duration", 0.35, "SwiftUI: the default animation takes 0.35 s"),

            Value("gestures/swipe/bottom/directions", ["down"], "source 1.0.0"),
            Value("gestures/swipe/bottom/threshold", 80, "source 1.0.0: 80 points"),
            Value("gestures/tap", "none", "source: no gesture on the body"),

            Value("theme/background", "#FFFFFF", "source: systemBackground"),
            Value("theme/backgroundDark", "#2C2C2E", "source: systemGray5"),
            Value("theme/textColor", "#000000", "source: primary"),
            Value("theme/textColorDark", "#FFFFFF", "source: primary"),
            Value("theme/subtextColor", "#3C3C43B9", "source: secondary, 60 %; corrected from 3.44:1 to 4.8:1"),
            Value("theme/subtextColorDark", "#EBEBF599", "source: secondary"),
            Value("theme/errorColor", "#FF3B30", "source: red"),
            Value("theme/warningColor", "#D17A00", "source: orange, #FF9500; corrected from 2.2:1 to 3.2:1"),
            Value("theme/infoColor", "#007AFF", "source: blue"),
            Value("theme/successColor", "#2AA148", "source: green, #34C759; corrected from 2.2:1 to 3.3:1"),

            Value("appearance/title/font/size", 16, "source: callout"),
            Value("appearance/title/font/weight", 500, "source: callout, medium"),
            Value("appearance/message/font/size", 12, "source: caption"),
            Value("appearance/message/font/weight", 400, "source: caption"),
            Value("appearance/elevation/x", 2, "source: shadow"),
            Value("appearance/elevation/y", 1, "source: shadow"),
            Value("appearance/elevation/blur", 8, "source: shadow of radius 4, which is a blur of 8 in CSS"),
            Value("appearance/elevation/color", "#000000", "source: shadow"),
            Value("appearance/elevation/opacity", 0.2, "source: shadow"),
            Value("appearance/layout/cornerRadius", 8, "source: corner radius"),
        ]
    )
}
