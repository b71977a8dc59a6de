import Foundation
import Glibc
import Synchronization

/// A proxy between one client and a NATS server on the loopback that drops and holds back frames as a test wants it.
final class FrameProxy: Sendable {
    /// A frame of the protocol: its line, and its payload.
    struct Frame: Sendable {
        let isFromServer: Bool
        let line: String
        let body: String

        /// Whether it is the answer to a stored message.
        var isAck: Bool { self.isFromServer && self.body.contains(#""stream":"#) && self.body.contains(#""seq":"#) }

        /// Whether it is a message for the log of a channel.
        var isLogMessage: Bool { !self.isFromServer && self.line.hasPrefix("HPUB") && self.line.contains(".c.") }
    }

    let url: String
    private let listener: CInt
    private let serverPort: UInt16
    /// Which frames are dropped.
    private let drops = Mutex<@Sendable (Frame) -> Bool>({ _ in false })
    private let held = Mutex(Hold())
    private let sockets = Mutex<[CInt]>([])

    /// Selects a frame to hold back; and that frame, once it has come.
    private struct Hold {
        var isMeant: @Sendable (Frame) -> Bool = { _ in false }
        var frame: (bytes: [UInt8], target: CInt)?
    }

    /// Begins to listen.
    init(to url: String) throws {
        guard let port = URL(string: url)?.port else { throw ProxyError(step: "port") }
        self.serverPort = UInt16(port)
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Glibc.bind(listener, address, length) == 0 && Glibc.listen(listener, 8) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isBound else { throw ProxyError(step: "bind") }
        self.listener = listener
        self.url = "nats://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        Thread.detachNewThread { self.accept() }
    }

    struct ProxyError: Error {
        let step: String
    }

    /// Drops the frames for which a closure returns true, from now on.
    func drop(_ isDropped: @escaping @Sendable (Frame) -> Bool) { self.drops.withLock { $0 = isDropped } }

    /// Drops the first `count` of the frames that a closure selects.
    func drop(_ count: Int, _ isMeant: @escaping @Sendable (Frame) -> Bool) -> DropCount {
        let dropped = DropCount()
        self.drop { frame in
            guard isMeant(frame) else { return false }
            return dropped.value.withLock { value in
                guard value < count else { return false }
                value += 1
                return true
            }
        }
        return dropped
    }

    /// Holds back the next frame for which a closure returns true, until ``release()``; later frames overtake it.
    func hold(_ isMeant: @escaping @Sendable (Frame) -> Bool) { self.held.withLock { $0 = Hold(isMeant: isMeant) } }

    /// Whether a frame is held back.
    var isHolding: Bool { self.held.withLock { $0.frame != nil } }

    /// Passes on the frame that is held back.
    func release() {
        let frame = self.held.withLock { hold in
            defer { hold = Hold() }
            return hold.frame
        }
        if let frame { _ = send(frame.target, frame.bytes, frame.bytes.count, CInt(MSG_NOSIGNAL)) }
    }

    /// Holds a frame back if it is the one that a test means.
    private func holdsBack(_ frame: Frame, _ bytes: [UInt8], for target: CInt) -> Bool {
        self.held.withLock { hold in
            guard hold.frame == nil, hold.isMeant(frame) else { return false }
            hold.frame = (bytes, target)
            return true
        }
    }

    /// The number of dropped frames.
    final class DropCount: Sendable {
        let value = Mutex(0)
    }

    /// Cuts all connections.
    func cut() {
        self.sockets.withLock { sockets in
            for socket in sockets { shutdown(socket, CInt(SHUT_RDWR)) }
            sockets = []
        }
    }

    /// Ends the proxy.
    func end() {
        shutdown(self.listener, CInt(SHUT_RDWR))
        close(self.listener)
        self.cut()
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    private func accept() {
        while true {
            let client = Glibc.accept(self.listener, nil, nil)
            guard client >= 0 else { return }
            let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            var address = Self.loopback(self.serverPort)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else {
                close(client)
                close(server)
                continue
            }
            self.sockets.withLock { $0 += [client, server] }
            Thread.detachNewThread { self.pass(from: client, to: server, isFromServer: false) }
            Thread.detachNewThread { self.pass(from: server, to: client, isFromServer: true) }
        }
    }

    /// Passes whole frames on until the connection ends.
    private func pass(from source: CInt, to target: CInt, isFromServer: Bool) {
        var buffer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(source, &chunk, chunk.count)
            guard count > 0 else { break }
            buffer += chunk[..<count]
            while let size = Self.frameSize(buffer) {
                let bytes = Array(buffer[..<size])
                buffer.removeFirst(size)
                let text = String(decoding: bytes, as: UTF8.self)
                let end = text.firstIndex(of: "\r\n") ?? text.endIndex
                let frame = Frame(isFromServer: isFromServer, line: String(text[..<end]), body: String(text[end...]))
                if self.drops.withLock({ $0 })(frame) || self.holdsBack(frame, bytes, for: target) { continue }
                guard send(target, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count else { break }
            }
        }
        shutdown(target, CInt(SHUT_RDWR))
    }

    /// The length of the first frame in bytes; `nil` when it is incomplete.
    private static func frameSize(_ buffer: [UInt8]) -> Int? {
        guard let end = buffer.firstIndex(of: 10) else { return nil }
        let words = String(decoding: buffer[..<end], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let hasBody = ["MSG", "HMSG", "PUB", "HPUB"].contains(words.first.map { $0.uppercased() } ?? "")
        let size = hasBody ? end + 1 + (words.last.flatMap { Int($0) } ?? 0) + 2 : end + 1
        return buffer.count >= size ? size : nil
    }
}
