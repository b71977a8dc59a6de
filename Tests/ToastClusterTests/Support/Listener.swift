import Foundation
import Glibc
import Synchronization
import ToastCore

/// The client's end of an event stream.
final class Listener: Sendable {
    struct Received: Equatable, Sendable {
        let type: String
        let id: String?
        let data: JSON

        /// The offset of the event.
        var offset: Int64 {
            guard case .single(let offset)? = self.id.flatMap({ Cursor($0)?.position }) else { return 0 }
            return offset.rawValue
        }

        /// The message of the toast.
        var message: String? { self.data.object?["toast"]?.object?["message"]?.string }
    }

    private let descriptor: CInt
    /// Bytes that were read and not yet returned.
    private let rest = Mutex<[UInt8]>([])

    private init(descriptor: CInt) {
        self.descriptor = descriptor
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(self.descriptor) }

    /// Shuts down both directions of the connection.
    func hangUp() { shutdown(self.descriptor, CInt(SHUT_RDWR)) }

    /// A listener, and the descriptor of the server's end.
    static func pair() throws -> (Listener, CInt) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw SocketPairFailure() }
        return (Listener(descriptor: ends[0]), ends[1])
    }

    /// The next events, without comments; fewer when the stream ends or when they do not arrive within a minute.
    ///
    /// Reads on a separate thread, because the loops need the threads that tests run on.
    func next(_ count: Int) async -> [Received] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read { $0.count >= count }) }
        }
    }

    /// The next events up to one that a test waits for.
    func next(until isLast: @escaping @Sendable (Received) -> Bool) async -> [Received] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read { $0.last.map(isLast) ?? false }) }
        }
    }

    /// Everything that arrives until the peer closes the connection.
    func all() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = self.rest.withLock { $0 }
                while let more = self.readMore() { bytes += more }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    private func read(until isEnough: ([Received]) -> Bool) -> [Received] {
        var received: [Received] = []
        var text = self.rest.withLock { $0 }
        while !isEnough(received) {
            guard let end = text.firstRange(of: Array("\n\n".utf8)) else {
                guard let more = self.readMore() else { break }
                text += more
                continue
            }
            received += [Self.parse(String(decoding: text[..<end.lowerBound], as: UTF8.self))].compactMap(\.self)
            text = Array(text[end.upperBound...])
        }
        self.rest.withLock { $0 = text }
        return received
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

struct SocketPairFailure: Error {}
