import Foundation
import Glibc
import Synchronization
package import ToastCore

/// The client's end of an event stream.
package final class Listener: Sendable {
    /// An event of the stream.
    package struct Received: Equatable, Sendable {
        package let type: String
        package let id: String?
        package let data: JSON

        /// The offset of the event.
        package var offset: Int64 {
            guard case .single(let offset)? = self.id.flatMap({ Cursor($0)?.position }) else { return 0 }
            return offset.rawValue
        }

        /// The message of the toast.
        package var message: String? { self.data.object?["toast"]?.object?["message"]?.string }
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
    package func hangUp() { shutdown(self.descriptor, CInt(SHUT_RDWR)) }

    /// A listener, and the descriptor of the server's end.
    package static func pair() throws -> (Listener, CInt) {
        var ends: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw SocketPairFailure() }
        return (Listener(descriptor: ends[0]), ends[1])
    }

    /// The next events, without comments; fewer when the stream ends or when they do not arrive.
    ///
    /// Reads on a separate thread, because the loops need the threads that tests run on.
    package func next(_ count: Int) async -> [Received] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read { $0.count >= count }) }
        }
    }

    /// The next events up to one that a test waits for.
    package func next(until isLast: @escaping @Sendable (Received) -> Bool) async -> [Received] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read { $0.last.map(isLast) ?? false }) }
        }
    }

    /// Everything that arrives until the peer closes the connection.
    package func all() async -> String {
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
        var bytes = self.rest.withLock { $0 }
        var start = 0
        // Comments arrive in any case, so the limit starts again with each event, not with each read.
        var deadline = ContinuousClock.now + .seconds(120)
        while !isEnough(received) {
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

/// No pair of sockets could be made.
private struct SocketPairFailure: Error {}
