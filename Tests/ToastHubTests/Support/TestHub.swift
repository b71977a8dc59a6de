import EventLoop
import Foundation
import Glibc
import Synchronization
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
        catalogs: Catalogs = Catalogs()
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
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw SocketPairFailure() }
        await self.fanouts[loop].give(Socket(owning: ends[1]), to: pendingStream)
        return Listener(descriptor: ends[0])
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

struct SocketPairFailure: Error {}

/// The client's end of an event stream.
final class Listener: Sendable {
    struct Received: Equatable {
        let type: String
        let id: String?
        let data: JSON
    }

    private let descriptor: CInt
    /// Bytes that were read and not yet returned.
    private let rest = Mutex<[UInt8]>([])

    init(descriptor: CInt) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(self.descriptor) }

    /// Shuts down both directions of the connection.
    func hangUp() { shutdown(self.descriptor, CInt(SHUT_RDWR)) }

    /// The next events, without comments; fewer when the stream ends or when they do not arrive.
    ///
    /// Reads on a separate thread, because the loops need the threads that tests run on.
    func next(_ count: Int) async -> [Received] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read(count)) }
        }
    }

    private func read(_ count: Int) -> [Received] {
        var received: [Received] = []
        var bytes = self.rest.withLock { $0 }
        var start = 0
        // Comments arrive in any case, so the limit starts again with each event, not with each read.
        var deadline = ContinuousClock.now + .seconds(120)
        while received.count < count {
            guard let end = Self.blankLine(in: bytes, behind: start) else {
                guard ContinuousClock.now < deadline, let more = self.readMore() else { break }
                bytes = bytes[start...] + more
                start = 0
                continue
            }
            let text = String(decoding: bytes[start..<end], as: UTF8.self)
            start = end + 2
            guard let event = Self.parse(text) else { continue }
            received.append(event)
            deadline = ContinuousClock.now + .seconds(120)
        }
        self.rest.withLock { $0 = Array(bytes[start...]) }
        return received
    }

    /// The end of an event.
    ///
    /// With the C library, which is about a hundred times as fast as a loop in a debug build.
    private static func blankLine(in bytes: [UInt8], behind start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress else { return nil }
            var place = start
            while let end = memchr(first + place, 0x0A, bytes.count - place) {
                place = UnsafeRawPointer(end) - first + 1
                if place < bytes.count, bytes[place] == 0x0A { return place - 1 }
            }
            return nil
        }
    }

    private func readMore() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(self.descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func parse(_ text: String) -> Received? {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else { continue }
            fields[String(halves[0])] = halves[1].trimmingCharacters(in: .whitespaces)
        }
        guard let type = fields["event"], let data = fields["data"],
            let json = try? JSON(parsing: Array(data.utf8), depthLimit: 32)
        else { return nil }
        return Received(type: type, id: fields["id"], data: json)
    }
}

extension ChannelAnswer {
    /// What became of the toasts of a publish; `nil` for another answer.
    var publication: Publication? {
        if case .published(let publication) = self { publication } else { nil }
    }
}
