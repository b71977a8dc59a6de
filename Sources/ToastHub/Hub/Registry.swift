import EventLoop
import Metrics
import Synchronization
import ToastCore

/// The channels of one loop.
actor Registry: LoopActor, Sleeper {
    /// A class, so that a request looks up its channel only once.
    final class Entry {
        let channel: Channel
        /// The number of requests in flight.
        var uses = 0
        /// Whether the channel was used since the last check.
        var isFresh = true

        init(channel: Channel) {
            self.channel = channel
        }
    }

    nonisolated let loop: EventLoop
    nonisolated let context: ChannelContext
    private var entries: [ChannelName: Entry] = [:]
    /// The same entries in an array, to check a few at a time.
    private var sweepOrder: [Entry] = []
    /// The index in `sweepOrder` at which the sweep continues.
    private var sweepPlace = 0
    /// The index in `sweepOrder` at which the next search for an idle channel continues.
    private var searchPlace = 0

    /// The interval between two sweeps, in nanoseconds.
    private static let sweepInterval: Int64 = 30_000_000_000

    /// The pause between two steps of a sweep, in nanoseconds.
    private static let sweepPause: Int64 = 1_000_000

    /// The number of channels checked in one step: removing all of them takes less than a millisecond.
    private static let stepSize = 256

    init(_ context: ChannelContext) {
        self.loop = context.loop
        self.context = context
    }

    /// Measures the longest queue of the channels in memory.
    func measure() {
        let longest = self.entries.values.map { $0.channel.assumeIsolated { $0.meteredQueue } }.max()
        self.context.meter.longestQueue.set(longest ?? 0)
    }

    func start() {
        _ = self.loop.schedule(at: EventLoop.now + Self.sweepInterval, self)
    }

    /// Makes all channels apply the server's current defaults.
    ///
    /// A part at a time, because thousands at once would block the loop.
    func applyDefaults() async {
        let channels = self.sweepOrder.map(\.channel)
        for start in stride(from: 0, to: channels.count, by: Self.stepSize) {
            if start > 0 { await Task.yield() }
            self.applyDefaults(to: channels[start...].prefix(Self.stepSize))
        }
    }

    private func applyDefaults(to channels: ArraySlice<Channel>) {
        // A channel that has left memory since the first step must not set a timer, or count its queue, again.
        for channel in channels where self.entries[channel.name]?.channel === channel {
            channel.assumeIsolated { $0.applyDefaults() }
        }
    }

    /// Carries out a request to a channel.
    ///
    /// The channel is on the same loop, so the call does not suspend to reach it.
    func perform(_ request: ChannelRequest, on name: ChannelName) async throws(ChannelError) -> ChannelAnswer {
        let entry = try self.entry(name)
        entry.uses += 1
        entry.isFresh = true
        defer { entry.uses -= 1 }
        return try await entry.channel.perform(request)
    }

    func channelInMemory(_ name: ChannelName) -> Channel? { self.entries[name]?.channel }

    /// Replaces the listeners of an observer in the loaded ones of some channels; returns their last stored events.
    func renew(
        _ counts: [(key: ChannelName, value: ListenerCounts)],
        of observer: any ChannelObserver
    ) -> [(ChannelName, Offset)] {
        counts.compactMap { name, counts in
            self.channelInMemory(name)?.assumeIsolated { $0.renew(counts, of: observer) }.map { (name, $0) }
        }
    }

    /// The entry of a channel; it is created if it is not in memory.
    func entry(_ name: ChannelName) throws(ChannelError) -> Entry {
        if let entry = self.entries[name] { return entry }
        try self.makeRoom()
        let channel = Channel(name: name, context: self.context)
        let entry = Entry(channel: channel)
        self.entries[name] = entry
        self.sweepOrder.append(entry)
        self.context.meter.loaded.add()
        return entry
    }
}

// MARK: - Removing channels from memory

extension Registry {
    /// Makes room for one more channel, if there is none.
    ///
    /// Each call checks only some of the channels. Further calls continue from there, so an idle channel is found in
    /// the end.
    private func makeRoom() throws(ChannelError) {
        // Idle channels were removed when the shortage was reported, and are again with each further report.
        guard !self.context.quota.isShort.load(ordering: .relaxed) else { throw .outOfMemory }
        let limit = self.context.quota.perLoop.load(ordering: .relaxed)
        for sparesFresh in [true, false] where self.sweepOrder.count >= limit {
            self.removeIdle(from: &self.searchPlace, sparesFresh: sparesFresh, until: limit - 1)
        }
        guard self.sweepOrder.count < limit else { throw .tooManyChannels }
    }

    /// Removes all idle channels that no request is using.
    func forgetIdle() {
        var place = 0
        while place < self.sweepOrder.count { self.removeIdle(from: &place, sparesFresh: false) }
    }

    nonisolated func wake(token: Int) {
        self.assumeIsolated { $0.sweep() }
    }

    /// Removes idle channels that were not used since the previous sweep.
    ///
    /// A step at a time, because removing thousands at once would block the loop.
    private func sweep() {
        self.removeIdle(from: &self.sweepPlace, sparesFresh: true)
        guard self.sweepPlace >= self.sweepOrder.count else {
            _ = self.loop.schedule(at: EventLoop.now + Self.sweepPause, self)
            return
        }
        self.sweepPlace = 0
        self.start()
    }

    /// Removes channels for which another process decides; returns how many of them have to stay for now.
    func release(where isLost: (ChannelName) -> Bool) -> Int {
        var (place, left) = (0, 0)
        while place < self.sweepOrder.count {
            let entry = self.sweepOrder[place]
            guard isLost(entry.channel.name) else {
                place += 1
                continue
            }
            entry.channel.assumeIsolated { $0.release() }
            if entry.uses == 0, entry.channel.assumeIsolated({ $0.isIdle }) {
                self.remove(at: place)
            } else {
                (place, left) = (place + 1, left + 1)
            }
        }
        return left
    }

    private func remove(at place: Int) {
        let channel = self.sweepOrder[place].channel
        self.sweepOrder.swapAt(place, self.sweepOrder.count - 1)
        self.sweepOrder.removeLast()
        channel.assumeIsolated { $0.meterQueue(0) }
        self.entries[channel.name] = nil
        self.context.meter.loaded.add(-1)
    }

    /// Checks the next channels in ``sweepOrder``, from its start again after its end, and removes the idle ones.
    ///
    /// - Parameters:
    ///   - place: The index to begin at; updated to the index at which to continue.
    ///   - sparesFresh: Whether to keep channels that were used since their last check.
    ///   - count: The number of channels at which to stop.
    private func removeIdle(from place: inout Int, sparesFresh: Bool, until count: Int = 0) {
        if place >= self.sweepOrder.count { place = 0 }
        for _ in 0..<Self.stepSize where place < self.sweepOrder.count && self.sweepOrder.count > count {
            let entry = self.sweepOrder[place]
            let isSpared = entry.isFresh && sparesFresh
            entry.isFresh = false
            if !isSpared, entry.uses == 0, entry.channel.assumeIsolated({ $0.isIdle }) {
                self.remove(at: place)
            } else {
                place += 1
            }
        }
    }
}
