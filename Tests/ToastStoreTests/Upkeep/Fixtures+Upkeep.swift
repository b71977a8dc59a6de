import EventLoop
import Foundation
import ToastCore

@testable import ToastStore

extension SQLiteStore {
    /// Appends the events of a number of toasts, with a snapshot after half of them.
    func fill(_ channel: String = "ops", toasts: Int) async throws {
        var engine = Engine(channel: .make(channel), epoch: self.epoch)
        let stored = try await self.load(.make(channel))
        if let snapshot = stored.snapshot {
            engine = try Engine(channel: .make(channel), epoch: self.epoch, restoring: snapshot.state)
        }
        for event in stored.tail { engine.fold(try Event(envelope: event.envelope)) }
        var random = RandomBlock()
        for number in 0..<toasts {
            let before = engine.offset
            let at = Instant.at(Double(number))
            let toast = NewToast(
                id: ToastID(at: at, using: &random),
                draft: try ToastDraft(message: "\(number)")
            )
            let events = try engine.enqueue([toast], at: at).events
            let change = Append(
                channel: .make(channel),
                expected: before,
                events: .unwritten(events),
                snapshot: number == toasts / 2
                    ? StoredSnapshot(offset: engine.offset, state: engine.snapshotState()) : nil
            )
            try await self.append(change)
        }
    }

    /// Makes a closed database of three channels, damaged by a statement.
    static func makeDamaged(at path: String, by sql: String) async throws {
        let store = try SQLiteStore(path: path)
        for channel in ["a", "b", "c"] { try await store.fill(channel, toasts: 10) }
        try await store.writer.execute(sql)
        await store.close()
    }
}
