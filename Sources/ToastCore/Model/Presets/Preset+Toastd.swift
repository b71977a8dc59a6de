extension Preset {
    static let toastd = Self(
        .toastd,
        "NoticeUI's looks and timing with Toaster's accessibility: the default.",
        [
            Value("mode", "fifo", "NoticeUI: its default queue"),
            Value("minimumVisible", 0.5, "this service: what a fast stream shows can be read"),
            Value("style", "glass", "NoticeUI: its default style"),
            Value("placement", "top", "NoticeUI: its default placement"),
            Value("duration", 6, "Toaster: time enough to read (WCAG 2.2.1)"),
            Value("title", "automatic", "NoticeUI: the role's title"),
            Value("closeButton", true, "Toaster: a person who cannot swipe needs another way (WCAG 2.5.7)"),
            Value("spokenPrefix", true, "Toaster: the role is heard, not only seen (WCAG 1.4.1, 3.2.4)"),
        ]
    )
}
