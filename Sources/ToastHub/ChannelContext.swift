import EventLoop
import ToastCore

/// What all channels of a loop share.
///
/// An object, because there may be a hundred thousand channels, and each has one reference to it.
final class ChannelContext: Sendable {
    let loop: EventLoop
    let store: any Store
    let appending: AppendBatcher
    /// The clock by which webhooks are told; a channel's own may run ahead of it.
    let clock: HubClock
    let catalogs: Catalogs
    let defaults: ServerDefaults
    let meter: ChannelMeter
    let bell: DeliveryBell
    let quota: ChannelQuota
    let answers: any AnswerWriter

    init(
        loop: EventLoop,
        store: any Store,
        clock: HubClock,
        catalogs: Catalogs,
        defaults: ServerDefaults,
        meter: ChannelMeter,
        bell: DeliveryBell,
        quota: ChannelQuota,
        answers: any AnswerWriter
    ) {
        self.loop = loop
        self.store = store
        self.appending = AppendBatcher(loop: loop, log: store)
        self.clock = clock
        self.catalogs = catalogs
        self.defaults = defaults
        self.meter = meter
        self.bell = bell
        self.quota = quota
        self.answers = answers
    }
}
