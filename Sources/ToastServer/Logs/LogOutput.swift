import Glibc

/// The descriptor that the log is written to.
struct LogOutput {
    let descriptor: CInt

    /// Writes all bytes, however long that takes; false when the reader is gone, or the disk is full.
    func write(_ bytes: [UInt8]) -> Bool {
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
                return false
            }
        }
        return true
    }
}
