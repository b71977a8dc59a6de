extension Preset {
    /// ToastUI 3.0.1 (`quanshousio/ToastUI`).
    ///
    /// ToastUI's box has a content (here the toast's icon or progress), a label (the message), and a background behind
    /// the box over the whole screen (the dimming).
    static let toastui = Self(
        .toastui,
        "ToastUI: one box in the middle, which refuses others while it is there.",
        [
            Value("mode", "reject", "source: a toast is not presented while one is there"),
            Value("minimumVisible", 0, "source: nothing is replaced"),
            Value("style", "toastui", "the system's own look"),
            Value("placement", "center", "About ToastUI, ToastView"),
            Value("duration", "indefinite", "source: dismissAfter is nil"),
            Value("expiresAfter", 60, "this service: a toast that nobody sees must not refuse all others for ever"),
            Value("title", "none", "About ToastUI, ToastView: all views are optional"),
            Value("dimsBackground", true, "About ToastUI, Dimmed background"),
            Value("closeButton", false, "source: none; a control of the content dismisses it"),
            Value("spokenPrefix", false, "source: nothing is announced"),

            Value("haptics/success", "none", "source: none"),
            Value("haptics/error", "none", "source: none"),
            Value("haptics/warning", "none", "source: none"),
            Value("haptics/info", "none", "source: none"),

            Value("animations/enter/curve", "easeInOut", "source: cross-dissolve"),
            Value("animations/enter/duration", 0.4, "source, macOS: 0.4 s"),
            Value("animations/exit/curve", "easeInOut", "source: cross-dissolve"),
            Value("animations/exit/duration", 0.4, "source, macOS: 0.4 s"),

            Value("gestures/swipe/top/directions", [], "source: no gesture"),
            Value("gestures/swipe/center/directions", [], "source: no gesture"),
            Value("gestures/swipe/bottom/directions", [], "source: no gesture"),
            Value("gestures/tap", "none", "source: the content decides"),

            Value("appearance/message/color", "#3C3C43BC", "source: secondary, 60 %; corrected from 3.3:1 to 4.5:1"),
            Value("appearance/message/colorDark", "#EBEBF599", "source: secondary"),
            Value("appearance/message/font/size", 17, "source: label, headline"),
            Value("appearance/message/font/weight", 600, "source: label, headline"),
            Value("appearance/backgroundColor", "#F2F2F7", "source: secondarySystemBackground"),
            Value("appearance/backgroundColorDark", "#1C1C1E", "source: secondarySystemBackground"),
            Value("appearance/layout/inset", 16, "About ToastUI, DefaultToastView: paddingSize"),
            Value("appearance/layout/labelSpacing", 8, "About ToastUI, DefaultToastView: spacing"),
            Value("appearance/layout/iconSpacing", 8, "About ToastUI, DefaultToastView: spacing"),
            Value("appearance/layout/cornerRadius", 9, "About ToastUI, DefaultToastView: cornerSize"),
            Value("appearance/layout/iconSize", 36, "source: diameter of the progress ring"),
        ]
    )
}
