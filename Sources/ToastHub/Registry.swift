import EventLoop
import Measures
import Synchronization
import ToastCore

/// The channels of one loop.
actor Registry: LoopActor, Sleeper {
    /// An object, so that a request looks its channel up once.
    private final class Entry {
        let channel: Channel
        /// Requests that work with the channel right now.
        var uses = 0
        /// Whether it was used since the last look.
        var isFresh = true

        init(channel: Channel) {
            self.channel = channel
        }
    }

    nonisolated let loop: EventLoop
    private let context: ChannelContext
    private var entries: [ChannelName: Entry] = [:]
    /// The same in a row, to be looked at a few at a time.
    private var row: [Entry] = []
    /// Where the sweep goes on in the row.
    private var sweepPlace = 0
    /// Where the next look for room goes on in the row.
    private var searchPlace = 0

    /// How often idle channels are looked for, in nanoseconds.
    private static let sweepInterval: Int64 = 30_000_000_000

    /// How long a sweep rests between two looks, in nanoseconds.
    private static let sweepPause: Int64 = 1_000_000

    /// The channels of one look: to let go of all of them takes less than a millisecond.
    private static let look = 256

    init(_ context: ChannelContext) {
        self.loop = context.loop
        self.context = context
    }

    /// Finds the longest queue of all that are in memory.
    func measure() {
        let longest = self.entries.values.map { $0.channel.assumeIsolated { $0.meteredQueue } }.max()
        self.context.meter.longestQueue.set(longest ?? 0)
    }

    func start() {
        _ = self.loop.schedule(at: EventLoop.now + Self.sweepInterval, self)
    }

    /// Has all channels take the server's defaults as they are now.
    ///
    /// Some at a time, because thousands at once would have the loop stand still.
    func heedDefaults() {
        self.heedDefaults(self.row.map(\.channel)[...])
    }

    private func heedDefaults(_ channels: ArraySlice<Channel>) {
        for channel in channels.prefix(Self.look) { channel.assumeIsolated { $0.heedDefaults() } }
        let rest = channels.dropFirst(Self.look)
        guard !rest.isEmpty else { return }
        self.loop.execute { self.assumeIsolated { $0.heedDefaults(rest) } }
    }

    /// Has a channel do what a request says.
    ///
    /// The channel is of the same loop, so the call does not wait to get there.
    func perform(_ request: ChannelRequest, on name: ChannelName) async throws(ChannelError) -> ChannelAnswer {
        let entry = try self.entry(name)
        entry.uses += 1
        entry.isFresh = true
        defer { entry.uses -= 1 }
        return try await entry.channel.perform(request)
    }

    /// The channel of a name, which is made if it is not in memory.
    func channel(_ name: ChannelName) throws(ChannelError) -> Channel { try self.entry(name).channel }

    private func entry(_ name: ChannelName) throws(ChannelError) -> Entry {
        if let entry = self.entries[name] { return entry }
        try self.makeRoom()
        let channel = Channel(name: name, context: self.context)
        let entry = Entry(channel: channel)
        self.entries[name] = entry
        self.row.append(entry)
        self.context.meter.loaded.add()
        return entry
    }
}

// MARK: - Letting go

extension Registry {
    /// Makes room for one more channel, if it takes that.
    ///
    /// A look at some of the channels, not at all: those that are refused look on, so one that is idle is found.
    private func makeRoom() throws(ChannelError) {
        // Idle channels have gone already, and go again for as long as it lasts.
        guard !self.context.quota.isShort.load(ordering: .relaxed) else { throw .outOfMemory }
        let limit = self.context.quota.perLoop.load(ordering: .relaxed)
        for sparesFresh in [true, false] where self.row.count >= limit {
            self.look(from: &self.searchPlace, sparesFresh: sparesFresh, until: limit - 1)
        }
        guard self.row.count < limit else { throw .tooManyChannels }
    }

    /// Lets go of all channels that nobody works with at this moment and that have nothing to do.
    func forgetIdle() {
        var place = 0
        while place < self.row.count { self.look(from: &place, sparesFresh: false) }
    }

    nonisolated func wake(token: Int) {
        self.assumeIsolated { $0.sweep() }
    }

    /// Lets go of channels that nobody has used since the last sweep and that have nothing to do.
    ///
    /// A look at a time, because thousands that go at once would have the loop stand still.
    private func sweep() {
        self.look(from: &self.sweepPlace, sparesFresh: true)
        guard self.sweepPlace >= self.row.count else {
            _ = self.loop.schedule(at: EventLoop.now + Self.sweepPause, self)
            return
        }
        self.sweepPlace = 0
        self.start()
    }

    /// Looks at the next channels of the row, beginning anew behind its end, and lets go of those that have nothing to do.
    ///
    /// - Parameters:
    ///   - place: Where to look; becomes where to look on.
    ///   - sparesFresh: Whether those stay that were used since the last look at them.
    ///   - count: How many channels are few enough to stop.
    private func look(from place: inout Int, sparesFresh: Bool, until count: Int = 0) {
        if place >= self.row.count { place = 0 }
        for _ in 0..<Self.look where place < self.row.count && self.row.count > count {
            let entry = self.row[place]
            let isSpared = entry.isFresh && sparesFresh
            entry.isFresh = false
            if !isSpared, entry.uses == 0, entry.channel.assumeIsolated({ $0.isIdle }) {
                self.row.swapAt(place, self.row.count - 1)
                self.row.removeLast()
                self.forget(entry.channel)
            } else {
                place += 1
            }
        }
    }

    private func forget(_ channel: Channel) {
        channel.assumeIsolated { $0.meterQueue(0) }
        self.entries[channel.name] = nil
        self.context.meter.loaded.add(-1)
    }
}
