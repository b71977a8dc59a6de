// Checks that ThreadSanitizer works. It must not report threads that share data under a Mutex, which
// Tests/Sanitizers/mutex.c makes known to it. It must report threads that share data without one: `probe race`.

import Foundation
import Synchronization

final class Shared: @unchecked Sendable {
    let guarded = Mutex(0)
    var bare = 0
}

let shared = Shared()
let isRace = CommandLine.arguments.last == "race"
let isDone = DispatchSemaphore(value: 0)
for _ in 0..<3 {
    Thread.detachNewThread {
        for _ in 0..<100_000 {
            shared.guarded.withLock { $0 += 1 }
            if isRace { shared.bare += 1 }
        }
        isDone.signal()
    }
}
for _ in 0..<3 { isDone.wait() }
exit(shared.guarded.withLock { $0 } == 300_000 ? 0 : 1)
