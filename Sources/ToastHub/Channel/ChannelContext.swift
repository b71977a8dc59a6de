import EventLoop
import ToastCore

/// Dependencies that all channels of a loop share.
///
/// A class, because there may be a hundred thousand channels, and each holds one reference to it.
final class ChannelContext: Sendable {
    let loop: EventLoop
    let epoch: Epoch
    let store: any Store
    /// Collects appends; `nil` when the log gains nothing from that, and gets each change at once.
    let batcher: AppendBatcher?
    /// The clock for webhook deliveries; a channel's own clock may run ahead of it.
    let clock: HubClock
    let catalogs: Catalogs
    let defaults: ServerDefaults
    let meter: ChannelMeter
    let deliverySignal: DeliverySignal
    let changedWebhooks: ChangedWebhooks
    let deliveryAttempts: DeliveryAttempts
    let quota: ChannelQuota
    let answers: any AnswerWriter
    /// What decides between processes that share the store; `nil` when this one is alone.
    let gate: (any ChannelGate)?

    init(
        loop: EventLoop,
        store: any Store,
        clock: HubClock,
        catalogs: Catalogs,
        defaults: ServerDefaults,
        meter: ChannelMeter,
        deliverySignal: DeliverySignal,
        changedWebhooks: ChangedWebhooks,
        deliveryAttempts: DeliveryAttempts,
        quota: ChannelQuota,
        answers: any AnswerWriter,
        gate: (any ChannelGate)?
    ) {
        self.loop = loop
        self.epoch = store.epoch
        self.store = store
        self.batcher = store.gathersAppends ? AppendBatcher(loop: loop, log: store) : nil
        self.clock = clock
        self.catalogs = catalogs
        self.defaults = defaults
        self.meter = meter
        self.deliverySignal = deliverySignal
        self.changedWebhooks = changedWebhooks
        self.deliveryAttempts = deliveryAttempts
        self.quota = quota
        self.answers = answers
        self.gate = gate
    }
}
