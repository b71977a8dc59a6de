import EventLoop
import ToastCore

/// Dependencies that all channels of a loop share.
///
/// A class, because there may be a hundred thousand channels, and each holds one reference to it.
final class ChannelContext: Sendable {
    let loop: EventLoop
    let epoch: Epoch
    let log: any EventLog
    let directory: any ChannelDirectory
    let keyStore: any IdempotencyStore
    let deliveries: any DeliveryQueue
    let appending: AppendBatcher
    /// The clock for webhook deliveries; a channel's own clock may run ahead of it.
    let clock: HubClock
    let catalogs: Catalogs
    let defaults: ServerDefaults
    let meter: ChannelMeter
    let deliverySignal: DeliverySignal
    let quota: ChannelQuota
    let answers: any AnswerWriter
    /// What decides between processes that share the store; `nil` when this one is alone.
    let gate: (any ChannelGate)?

    /// Whether other processes use the store, and may have to take a channel over.
    var isShared: Bool { self.gate != nil }

    init(
        loop: EventLoop,
        store: some EventLog & ChannelDirectory & IdempotencyStore & DeliveryQueue,
        clock: HubClock,
        catalogs: Catalogs,
        defaults: ServerDefaults,
        meter: ChannelMeter,
        deliverySignal: DeliverySignal,
        quota: ChannelQuota,
        answers: any AnswerWriter,
        gate: (any ChannelGate)? = nil
    ) {
        self.loop = loop
        self.epoch = store.epoch
        self.log = store
        self.directory = store
        self.keyStore = store
        self.deliveries = store
        self.appending = AppendBatcher(loop: loop, log: store)
        self.clock = clock
        self.catalogs = catalogs
        self.defaults = defaults
        self.meter = meter
        self.deliverySignal = deliverySignal
        self.quota = quota
        self.answers = answers
        self.gate = gate
    }
}
