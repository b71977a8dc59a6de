public import Observation

/// What a channel shows at the moment, to draw from: `run()` keeps it up to date.
@MainActor @Observable
public final class ChannelState {
    /// The toasts on screen, in their order: the newest is the last.
    public private(set) var presented: [PresentedToast] = []
    /// How many toasts wait.
    public private(set) var queuedCount = 0
    /// Whether the connection is open; without it the state is the last known one.
    public private(set) var isConnected = false

    /// The channel, to which an app reports what a person does.
    public let channel: ToastChannel
    private let options: StreamOptions

    /// The state of a channel; empty until `run()` is called.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - isAudience: Whether somebody sees the toasts: without a viewer a channel presents none.
    ///   - isAssistive: Whether the person uses assistive technology, so that toasts stay longer.
    ///   - scale: How many times longer than others the person wants to see toasts, from 1 to 10.
    ///   - language: The language of texts, such as `de`.
    public init(
        _ channel: ToastChannel,
        isAudience: Bool = true,
        isAssistive: Bool = false,
        scale: Double? = nil,
        language: String? = nil
    ) {
        self.channel = channel
        // Only a whole stream, from its snapshot on, tells what is on screen.
        self.options = StreamOptions(
            isAudience: isAudience,
            isAssistive: isAssistive,
            scale: scale,
            language: language
        )
    }

    /// Follows the channel until its task is cancelled.
    ///
    /// - Throws: The errors that `ToastEvents` names, such as a `ToastdError` if the server refuses the stream.
    public func run() async throws {
        defer { self.isConnected = false }
        for try await update in self.channel.updates(self.options) {
            switch update {
            case .connected: self.isConnected = true
            case .disconnected: self.isConnected = false
            case .event(let event): self.apply(event.kind)
            }
        }
    }

    /// Takes an event into account.
    func apply(_ event: ToastEvent.Kind) {
        switch event {
        case .snapshot(let presented, let queuedCount, _, _):
            self.presented = presented
            self.queuedCount = queuedCount
        case .enqueued:
            self.queuedCount += 1
        case .presented(let toast):
            self.presented.removeAll { $0.id == toast.id }
            self.presented.append(toast)
            self.queuedCount = max(0, self.queuedCount - 1)
        case .updated(let update, _, let isMoved):
            self.change(update.id) { entry in
                entry.toast = update.toast
                entry.remaining = update.remaining
                entry.announcement = update.announcement ?? entry.announcement
            }
            if isMoved, let index = self.presented.firstIndex(where: { $0.id == update.id }) {
                self.presented.append(self.presented.remove(at: index))
            }
        case .held(let id, _, let remaining, _):
            self.change(id) { entry in
                entry.isHeld = true
                entry.remaining = remaining
            }
        case .released(let id, _, let remaining, let isHeld):
            self.change(id) { entry in
                entry.isHeld = isHeld
                entry.remaining = remaining
            }
        case .dismissed(let id, _, _, _, _):
            if let index = self.presented.firstIndex(where: { $0.id == id }) {
                self.presented.remove(at: index)
            } else {
                self.queuedCount = max(0, self.queuedCount - 1)
            }
        case .resumed, .acted, .configured, .shutdown, .other:
            break
        }
    }

    private func change(_ id: String, _ edit: (inout PresentedToast) -> Void) {
        guard let index = self.presented.firstIndex(where: { $0.id == id }) else { return }
        edit(&self.presented[index])
    }
}
