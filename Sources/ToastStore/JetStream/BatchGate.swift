import Synchronization

/// Lets at most so many batches be open in each stream; others wait in the order in which they came.
///
/// Bounded by the appends that wait, see ``AppendQueue``.
final class BatchGate: Sendable {
    private struct State {
        var open = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let streams: Mutex<[State]>

    init(streams: Int, limit: Int) {
        self.limit = limit
        self.streams = Mutex(Array(repeating: State(), count: streams))
    }

    /// Waits until a batch may be opened in a stream.
    func enter(_ stream: Int) async {
        await withCheckedContinuation { continuation in
            let isFree = self.streams.withLock { streams in
                guard streams[stream].open >= self.limit else {
                    streams[stream].open += 1
                    return true
                }
                streams[stream].waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends a batch; the next one that waits takes its place.
    func leave(_ stream: Int) {
        let next = self.streams.withLock { streams -> CheckedContinuation<Void, Never>? in
            guard streams[stream].waiting.isEmpty else { return streams[stream].waiting.removeFirst() }
            streams[stream].open -= 1
            return nil
        }
        next?.resume()
    }
}
