extension Preset {
    /// The In-App Notification System of ButchSDK (`LeoHeuser/ButchSDK`), as its document describes it.
    static let inapp = Self(
        .inapp,
        "In-App Notification System: one banner at the top, above everything, replaced at once.",
        [
            Value("mode", "replace", "source: send(_:) replaces what is shown"),
            Value("minimumVisible", 0, "source: what is shown is replaced at once"),
            Value("style", "material", "the system's own look"),
            Value("placement", "top", "Layout: Position"),
            Value("duration", 3, "Auto-Dismiss: 3 seconds"),
            Value("title", "none", "InAppNotificationObject: a title is always the caller's"),
            Value("closeButton", false, "Manuelle Interaktion: tap and swipe"),
            Value("spokenPrefix", false, "source: nothing is announced"),

            Value("haptics/success", "none", "source: none"),
            Value("haptics/error", "none", "source: none"),
            Value("haptics/warning", "none", "source: none"),
            Value("haptics/info", "none", "source: none"),

            Value("layout/inset/top", 8, "Layout: Padding, top"),
            Value("layout/inset/leading", 16, "Layout: Padding, horizontal"),
            Value("layout/inset/trailing", 16, "Layout: Padding, horizontal"),
            Value("layout/maximumWidth", "unlimited", "source: as wide as the screen"),

            Value("animations/enter/curve", "spring", "Animationen: Timing"),
            Value("animations/enter/response", 0.4, "source: spring"),
            Value("animations/enter/damping", 0.75, "source: spring"),
            Value("animations/enter/duration", 0.4, "source: the spring's response"),
            Value("animations/exit/curve", "spring", "Animationen: Timing"),
            Value("animations/exit/response", 0.4, "source: spring"),
            Value("animations/exit/damping", 0.75, "source: spring"),
            Value("animations/exit/duration", 0.4, "source: the spring's response"),

            Value("gestures/swipe/top/directions", ["up"], "Manuelle Interaktion: Swipe Up"),
            Value("gestures/swipe/top/threshold", 80, "source: farther than 80 points"),
            Value("gestures/swipe/top/predictedThreshold", 200, "source: predicted farther than 200 points"),
            Value("gestures/tap", "dismiss", "Manuelle Interaktion: Tap"),

            Value("appearance/title/font/size", 17, "Stil: headline"),
            Value("appearance/title/font/weight", 600, "Stil: headline"),
            Value("appearance/message/font/size", 17, "Stil: body"),
            Value("appearance/message/font/weight", 400, "Stil: body"),
            Value("appearance/borderColor", "#3C3C434A", "Stil: separator"),
            Value("appearance/borderColorDark", "#54545899", "Stil: separator"),
            Value("appearance/borderWidth", 1, "source: stroke of one point"),
            Value("appearance/layout/inset", 16, "source: padding"),
            Value("appearance/layout/labelSpacing", 8, "Spacing: spacingS"),
            Value("appearance/layout/iconSpacing", 8, "Spacing: spacingS"),
            Value("appearance/layout/cornerRadius", 32, "Stil: Corner Radius"),
            Value("appearance/layout/iconSize", 22, "Stil: title2"),
        ]
    )
}
