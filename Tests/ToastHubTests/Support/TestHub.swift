import EventLoop
import Foundation
import TestSupport
import Testing
import ToastAccess
import ToastCore
import ToastStore

@testable import MicroHTTP
@testable import ToastHub

/// A hub on two loops, with a store that tests can block.
///
/// The channel `ops` and the streams may be on different loops.
final class TestHub: Sendable {
    let store: GatedStore
    let loops: [EventLoop]
    let hub: Hub
    let fanouts: [Fanout]

    init(
        streamLimit: Int = 100,
        hasImmediateStore: Bool = false,
        retention: Retention = .standard,
        wrapping store: (any Store)? = nil,
        catalogs: Catalogs? = nil
    ) async throws {
        self.store = GatedStore(store ?? MemoryStore(retention: retention), isImmediate: hasImmediateStore)
        let loops = try (0..<2).map { try EventLoop(name: "lab-\($0)") }
        let clock = HubClock(wallClock: Int64(Date().timeIntervalSince1970 * 1_000_000_000))
        let hub = Hub(loops: loops, store: self.store, clock: clock, catalogs: catalogs)
        var limits = StreamLimits(count: streamLimit)
        // Streams that do not read are closed by the limit of waiting frames, not by a timeout, which depends on the
        // machine's speed.
        limits.stallTimeout = 86_400
        self.loops = loops
        self.hub = hub
        self.fanouts = loops.map { [limits] in Fanout(loop: $0, hub: hub, limits: limits) }
        for fanout in self.fanouts { await fanout.start() }
    }

    deinit { for loop in self.loops { loop.stop() } }

    /// Publishes a toast that lasts longer than a test does on any machine.
    func publish(_ message: String, to channel: String = "ops", key: String? = nil) async throws -> ChannelAnswer {
        let draft = try ToastDraft(json: ["message": .string(message), "duration": 600])
        let request = key.map {
            IdempotentRequest(key: IdempotencyKey($0, of: "alice"), fingerprint: Array(message.utf8))
        }
        return try await self.hub.perform(on: Self.name(channel)) { channel throws(ChannelError) in
            try await channel.publish([draft], as: request)
        }
    }

    /// Publishes a toast, which must be new.
    func publishedToast(_ message: String) async throws -> Toast {
        let publication = try #require(try await self.publish(message).publication)
        return try #require(publication.toasts.first)
    }

    /// Opens an event stream on one of the loops.
    func listen(
        to channels: [String] = ["ops"],
        on loop: Int = 0,
        since cursor: String? = nil,
        isComposite: Bool = false,
        filter: EventFilter = .all,
        languages: String? = nil,
        isAudience: Bool = true,
        caller: Caller = .server
    ) async throws -> Listener {
        let request = StreamRequest(
            channels: channels.map(Self.name),
            isComposite: isComposite,
            cursor: cursor.flatMap(Cursor.init),
            filter: filter,
            languages: languages,
            isAudience: isAudience,
            caller: caller
        )
        return try await self.connect(try await self.fanouts[loop].openEventStream(request), on: loop)
    }

    /// Opens a WebSocket without subscriptions.
    func openSocket() async throws -> (PendingStream, Listener) {
        let pendingStream = try await self.fanouts[0].openWebSocket(StreamRequest(channels: [], isComposite: true))
        return (pendingStream, try await self.connect(pendingStream, on: 0))
    }

    func connect(_ pendingStream: PendingStream, on loop: Int) async throws -> Listener {
        let (listener, descriptor) = try Listener.pair()
        await self.fanouts[loop].give(Socket(owning: descriptor), to: pendingStream)
        return listener
    }

    func summary(of channel: String = "ops") async throws -> ChannelSummary {
        try await self.hub.perform(on: Self.name(channel)) { channel throws(ChannelError) in
            try await channel.summary()
        }
    }

    /// A channel name written in a test, which is known to be valid.
    static func name(_ text: String) -> ChannelName {
        guard let name = ChannelName(rawValue: text) else { preconditionFailure("\(text) is no channel's name.") }
        return name
    }
}

extension Fanout {
    /// Hands over a socket as the server does: on the loop's thread.
    fileprivate func give(_ socket: Socket, to pendingStream: PendingStream) {
        guard case .detach(let take, _, _) = pendingStream.reply() else { return }
        take(socket)
    }
}

/// A request ended in another way than the test expects.
struct UnexpectedOutcome: Error {}

extension ChannelAnswer {
    /// What became of the toasts of a publish; `nil` for another answer.
    var publication: Publication? {
        if case .published(let publication) = self { publication } else { nil }
    }
}
