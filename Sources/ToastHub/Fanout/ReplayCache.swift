import ToastCore

/// The most recent pages, for streams that reach the same position a moment later.
struct ReplayCache {
    private static let limit = 16

    private var pages: [ReplayPage] = []

    /// A page that contains the event after an offset, in a language, and is fresh at an instant.
    ///
    /// With `isExact` the page begins with that event, so that its frames can be shared.
    func page(
        of channel: ChannelName,
        after offset: Offset,
        in language: LanguageTag?,
        at now: Instant,
        isExact: Bool
    ) -> ReplayPage? {
        self.pages.last { page in
            page.continues(channel, after: offset, in: language, at: now) && (!isExact || page.start == offset)
        }
    }

    mutating func add(_ page: ReplayPage) {
        if self.pages.count >= Self.limit { self.pages.removeFirst() }
        self.pages.append(page)
    }

    mutating func removeAll(of channel: ChannelName) {
        self.pages.removeAll { $0.channel == channel }
    }
}
