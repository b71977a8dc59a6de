import Glibc

/// The descriptor that the log is written to.
struct LogOutput {
    let descriptor: CInt

    /// Whether the bytes written so far end within a line.
    private var isTorn = false

    init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    /// Writes whole lines, however long that takes; false when the reader is gone, or the disk is full.
    ///
    /// If a failure cut off a line, a line end is written before the next lines.
    mutating func write(_ lines: [UInt8]) -> Bool {
        let newline = UInt8(ascii: "\n")
        let bytes = self.isTorn ? [newline] + lines : lines
        let count = self.writeBeginning(of: bytes)
        if count > 0 { self.isTorn = bytes[count - 1] != newline }
        return count == bytes.count
    }

    /// Writes bytes until all are written or an error occurs; returns their number.
    private func writeBeginning(of bytes: [UInt8]) -> Int {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                return unsafe Glibc.write(self.descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                start += count
            } else if errno == EAGAIN {
                // Another process that shares the descriptor may have made it non-blocking.
                var request = pollfd(fd: self.descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&request, 1, -1)
            } else if errno != EINTR {
                break
            }
        }
        return start
    }
}
