package import ToastCore

/// Decides where the requests to channels are carried out, when several processes share a log and one of them decides
/// for each channel.
///
/// A hub without a gate carries out everything itself. A gate is a class, so that a call of it copies only a
/// reference.
package protocol ChannelGate: AnyObject, Sendable {
    /// Why this process cannot serve; nil while it can, or may be able to again in a moment.
    var failure: StoreError? { get }

    /// Whether this process decides for a channel now.
    ///
    /// Only a hint: the compare-and-set of an append keeps two processes from deciding for the same channel.
    func owns(_ name: ChannelName) -> Bool

    /// Whether this process is sure that it decides for a channel, and knows its audience.
    ///
    /// Asked before a request is decided or a timer runs, because a process that was suspended may have lost both.
    func serves(_ name: ChannelName) -> Bool

    /// Passes a request to the owner of a channel: this process, by ``Hub/performHere(_:on:)``, or another one.
    ///
    /// - Throws: What the owner throws; `store` when there is no owner in time.
    func perform(_ request: ChannelRequest, on name: ChannelName) async throws(ChannelError) -> ChannelAnswer

    /// The names of the channels of all nodes, in order, after `name` if one is given.
    ///
    /// - Throws: `unavailable` when not all owners answer in time.
    func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName]

    /// Removes a listener that joined through the gate.
    func leave(_ name: ChannelName, _ observer: any ChannelObserver, _ listener: ChannelListener)
}
