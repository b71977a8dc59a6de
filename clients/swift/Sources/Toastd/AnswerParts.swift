import Foundation

/// An answer as it arrives: its head, then its body in pieces.
enum AnswerPart: Sendable {
    case head(AnswerHead)
    case body(Data)
}

/// The parts of an answer, which wait here for their reader.
///
/// Its connection is closed when they are no longer read.
struct AnswerParts: AsyncSequence, Sendable {
    /// So many bytes may wait for a slow reader.
    ///
    /// Beyond that the connection is given up; a stream then resumes.
    static let limit = 4_194_304

    private let stream: AsyncThrowingStream<AnswerPart, any Error>
    private let backlog: Backlog

    /// - Parameter limit: So many bytes may wait.
    /// - Returns: The parts, and what fills them.
    static func make(limit: Int = Self.limit) -> (parts: AnswerParts, writer: Writer) {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: AnswerPart.self)
        let backlog = Backlog(limit: limit)
        return (AnswerParts(stream: stream, backlog: backlog), Writer(continuation: continuation, backlog: backlog))
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(parts: self.stream.makeAsyncIterator(), backlog: self.backlog)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var parts: AsyncThrowingStream<AnswerPart, any Error>.Iterator
        fileprivate let backlog: Backlog

        mutating func next() async throws -> AnswerPart? {
            let part = try await self.parts.next()
            if case .body(let data) = part { self.backlog.remove(data.count) }
            return part
        }
    }

    /// Fills the parts of one answer.
    struct Writer: Sendable {
        fileprivate let continuation: AsyncThrowingStream<AnswerPart, any Error>.Continuation
        fileprivate let backlog: Backlog

        func write(_ part: AnswerPart) {
            if case .body(let data) = part, !self.backlog.add(data.count) {
                return self.finish(throwing: ToastdError.connectionLost("the reader is too slow"))
            }
            self.continuation.yield(part)
        }

        func finish(throwing error: (any Error)? = nil) { self.continuation.finish(throwing: error) }

        /// Calls a function when the parts have ended, or are no longer read.
        func onEnd(_ action: @escaping @Sendable () -> Void) {
            self.continuation.onTermination = { _ in action() }
        }
    }
}

/// Counts the bytes that wait for a reader.
private final class Backlog: @unchecked Sendable {
    // @unchecked Sendable: `count` is used only under `lock`.
    private let lock = NSLock()
    private let limit: Int
    private var count = 0

    init(limit: Int) { self.limit = limit }

    /// Adds bytes; false if that would be more than the limit.
    func add(_ bytes: Int) -> Bool {
        self.lock.withLock {
            guard self.count + bytes <= self.limit else { return false }
            self.count += bytes
            return true
        }
    }

    func remove(_ bytes: Int) { self.lock.withLock { self.count -= bytes } }
}
