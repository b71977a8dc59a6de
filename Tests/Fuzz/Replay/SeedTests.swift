import Foundation
import Testing

/// The seeds, and what a few mutations make of them: what `make fuzz` does for longer, without its instruments.
@Suite struct SeedTests {
    private static let seeds = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Seeds")

    private static func seeds(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = Self.seeds.appending(path: target.name)
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
            .map { ($0.lastPathComponent, Array(try Data(contentsOf: $0))) }
    }

    @Test func everyFolderOfSeedsHasItsTarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.seeds.path())
        #expect(folders.sorted() == FuzzTarget.all.map(\.name).sorted())
    }

    @Test(arguments: FuzzTarget.all)
    func promisesHoldForTheSeeds(target: FuzzTarget) async throws {
        let seeds = try Self.seeds(of: target)
        #expect(seeds.count > 1)
        let faults = await onThread {
            seeds.compactMap { name, bytes in
                do { try target.check(bytes) } catch { return "\(target.name)/\(name): \(error)" }
                return nil
            }
        }
        #expect(faults == [])
    }

    @Test(arguments: FuzzTarget.all)
    func promisesHoldForWhatIsNearTheSeeds(target: FuzzTarget) async throws {
        let seeds = try Self.seeds(of: target).map(\.bytes)
        let fault = await onThread { () -> String? in
            var mutator = Mutator(seeds: seeds)
            for number in 0..<target.mutations {
                let bytes = mutator.next()
                // In base64, because it is rarely text: decoded, it is the next seed.
                do { try target.check(bytes) } catch {
                    return "\(target.name) \(number): \(error), for \(Data(bytes).base64EncodedString())"
                }
            }
            return nil
        }
        #expect(fault == nil)
    }
}

/// Some targets wait for something asynchronous, and must not do so on a thread that others need to go on.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}

extension FuzzTarget {
    /// How many; fewer where each starts a server or turns an engine.
    fileprivate var mutations: Int {
        switch self.name {
        case "engine", "request", "command", "access": 200
        default: 1000
        }
    }
}
