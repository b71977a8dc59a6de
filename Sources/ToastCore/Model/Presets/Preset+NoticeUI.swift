extension Preset {
    /// NoticeUI 1.7.1 (`SameerNadaf/NoticeUI`).
    static let noticeui = Self(
        .noticeui,
        "NoticeUI: one toast after the other, with an exit and a pause between them.",
        [
            Value("mode", "fifo", "README, Queue Modes: default"),
            Value("pause", 0.2, "README, Behavior Notes: a pause of about 0.2 s"),
            Value("minimumVisible", 0, "source: a new toast ends the current one at once"),
            Value("style", "glass", "README, Available Styles: default"),
            Value("placement", "top", "source: Toast.init"),
            Value("duration", "short", "source: Toast.init; README, Supported Durations: 2 s"),
            Value("haptic", "automatic", "README, Supported Haptics: default"),
            Value("title", "automatic", "README, Titles: the role's title"),
            Value("closeButton", false, "source: no style has one"),
            Value("spokenPrefix", true, "source: the role, a colon, the message"),

            Value("haptics/success", "success", "README, Haptic Feedback"),
            Value("haptics/error", "error", "README, Haptic Feedback"),
            Value("haptics/warning", "warning", "README, Haptic Feedback"),
            Value("haptics/info", "light", "README, Haptic Feedback"),

            Value("layout/inset", 16, "source: horizontal padding of the presenter"),
            Value("layout/maximumWidth", 500, "source: maximum width of the presenter"),

            Value("animations/enter/curve", "spring", "source: presentation"),
            Value("animations/enter/response", 0.35, "source: presentation"),
            Value("animations/enter/damping", 0.8, "source: presentation"),
            Value("animations/enter/duration", 0.35, "source: the spring's response"),
            Value("animations/exit/curve", "spring", "source: dismissal, the same spring"),
            Value("animations/exit/response", 0.35, "source: dismissal, the same spring"),
            Value("animations/exit/damping", 0.8, "source: dismissal, the same spring"),
            Value("animations/exit/duration", 0.35, "README, Behavior Notes: the animation takes about 0.35 s"),

            Value("gestures/swipe/top/directions", ["up"], "README, Interactions"),
            Value("gestures/swipe/top/threshold", 40, "source 1.4.2 and later: 40 points"),
            Value("gestures/swipe/center/directions", ["left", "right"], "README, Interactions"),
            Value("gestures/swipe/center/threshold", 40, "source 1.4.2 and later: 40 points"),
            Value("gestures/swipe/bottom/directions", ["down"], "README, Interactions"),
            Value("gestures/swipe/bottom/threshold", 40, "source 1.4.2 and later: 40 points"),
            Value("gestures/tap", "none", "README, Interactions: a tap on the body does nothing"),
        ]
    )
}
