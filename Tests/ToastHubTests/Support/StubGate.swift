import Synchronization
import ToastCore

@testable import ToastHub

/// The gate of a process that owns all channels, and may not be sure of it.
final class StubGate: ChannelGate {
    private let state = Mutex(true)

    var isSure: Bool {
        get { self.state.withLock { $0 } }
        set { self.state.withLock { $0 = newValue } }
    }

    var failure: StoreError? { nil }
    func owns(_ name: ChannelName) -> Bool { true }
    func serves(_ name: ChannelName) -> Bool { self.isSure }
    func perform(_ request: ChannelRequest, on name: ChannelName) async throws(ChannelError) -> ChannelAnswer {
        throw .store(.unavailable("Requests do not pass this gate."))
    }
    func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] { [] }
    func leave(_ name: ChannelName, _ observer: any ChannelObserver, _ listener: ChannelListener) {}
}
