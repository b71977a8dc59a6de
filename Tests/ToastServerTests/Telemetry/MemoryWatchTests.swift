import Logging
import Testing

@testable import ToastServer

@Suite struct MemoryWatchTests {
    private static let second: Int64 = 1_000_000_000

    private let process = Process()
    private var watch: MemoryWatch

    init() {
        let process = self.process
        self.watch = MemoryWatch(
            MemoryWatch.Environment(
                limit: { process.limit },
                isShort: { process.told.last ?? false },
                bytes: { process.bytes },
                used: { process.bytes - process.free },
                trim: { process.trim() },
                tell: { process.told.append($0) }
            ),
            Logger(label: "test") { _ in Listener(process: process) }
        )
    }

    @Test mutating func memoryThatRunsShortIsSaidOnce() {
        self.process.bytes = 1601
        self.watch.look(at: 0)
        #expect(self.process.told == [true])
        #expect(self.process.log == ["out of memory: nothing new is taken"])
        self.watch.look(at: Self.second)
        #expect(self.process.told == [true])
    }

    @Test mutating func whileItLastsIdleChannelsGoNowAndThen() {
        self.process.bytes = 1601
        for seconds in 0...12 { self.watch.look(at: Int64(seconds) * Self.second) }
        #expect(self.process.told == [true, true, true])
        #expect(self.process.reliefs == 3)
        #expect(self.process.log.count == 1)
    }

    @Test mutating func itIsOverSomeWayBelowTheLimit() {
        self.process.bytes = 1601
        self.watch.look(at: 0)
        self.process.bytes = 1501
        self.watch.look(at: Self.second)
        #expect(self.process.told == [true])
        self.process.bytes = 1500
        self.watch.look(at: 2 * Self.second)
        #expect(self.process.told == [true, false])
        #expect(self.process.log.last == "there is memory again")
        self.process.bytes = 1600
        self.watch.look(at: 3 * Self.second)
        #expect(self.process.told == [true, false])
    }

    @Test mutating func whatIsFreeIsGivenBackBeforeAnybodyIsRefused() {
        self.process.bytes = 1601
        self.process.free = 100
        self.watch.look(at: 0)
        #expect(self.process.told == [])
        // The memory is in use again before the next return is allowed, so the process is short of it.
        self.process.bytes = 1601
        self.process.free = 100
        self.watch.look(at: Self.second)
        #expect(self.process.told == [true])
        #expect(self.process.reliefs == 1)
    }

    @Test mutating func whatABurstHasLeftIsGivenBack() {
        self.process.limit = 1 << 30
        self.process.bytes = 100 << 20
        self.process.free = 15 << 20
        self.watch.look(at: 0)
        #expect(self.process.reliefs == 0)
        self.process.free = 60 << 20
        self.watch.look(at: 9 * Self.second)
        #expect(self.process.reliefs == 0)
        self.watch.look(at: 10 * Self.second)
        #expect(self.process.reliefs == 1)
        #expect(self.process.bytes == 40 << 20)
        self.watch.look(at: 20 * Self.second)
        #expect(self.process.reliefs == 1)
        #expect(self.process.told == [])
    }

    @Test(arguments: [31, 257]) mutating func smallAndLargeHeapsAreLeftAlone(mebibytes: Int) {
        self.process.limit = 1 << 30
        self.process.bytes = mebibytes << 20
        self.process.free = 20 << 20
        self.watch.look(at: 0)
        #expect(self.process.reliefs == 0)
    }
}

/// The environment of a watch: a simulated process.
private final class Process: @unchecked Sendable {
    var limit = 1600
    var bytes = 0
    var free = 0
    var reliefs = 0
    var told: [Bool] = []
    var log: [String] = []

    func trim() {
        self.reliefs += 1
        self.bytes -= self.free
        self.free = 0
    }
}

private struct Listener: LogHandler {
    let process: Process
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) { self.process.log.append("\(event.message)") }
}
