import Glibc

/// A TCP connection that sends exactly the given bytes.
///
/// It waits at most five minutes for a response: other tests can occupy all threads for long.
final class RawClient: Sendable {
    private let descriptor: CInt

    init(port: UInt16) throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(self.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXFailure(code: errno) }
    }

    deinit { close(self.descriptor) }

    func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { Glibc.send(self.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    }

    func send(_ text: String) { self.send(Array(text.utf8)) }

    /// Tells the server that nothing more is sent.
    func closeHalf() { shutdown(self.descriptor, CInt(SHUT_WR)) }

    /// Reads until the text arrives, or the connection ends or is silent for too long.
    func read(until text: String) -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(text), let more = self.read(), !more.isEmpty {
            bytes += more
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads to the end of the connection; nil when it does not end.
    func readToEnd(resetIsAnEnd: Bool = true) -> String? {
        var bytes: [UInt8] = []
        while let more = self.read(resetIsAnEnd: resetIsAnEnd) {
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more
        }
        return nil
    }

    func readBytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let more = self.read(), !more.isEmpty { bytes += more }
        return bytes
    }

    /// Empty when the connection ended, nil when it is silent.
    private func read(resetIsAnEnd: Bool = true) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(self.descriptor, &buffer, buffer.count, 0)
        if count > 0 { return Array(buffer[..<count]) }
        return count == 0 || (resetIsAnEnd && errno == ECONNRESET) ? [] : nil
    }
}

struct POSIXFailure: Error { let code: CInt }
