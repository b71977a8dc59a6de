// What the log asks of the system.

import CoreFoundation  // Where whole-module builds find what timespec is made of.
import Glibc

enum LogCalls {
    /// Writes all of it, however long that takes; false when nobody will ever read it.
    static func writeAll(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
                return unsafe write(descriptor, rest.baseAddress, rest.count)
            }
            if count >= 0 {
                start += count
            } else if errno == EAGAIN {
                // Whoever shares the descriptor may have made it one that does not wait.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&request, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// A reader that is gone is an error of the call that finds out, never a signal to the process.
    static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Nanoseconds since 1970; the last there are, when the clock is set behind that.
    static var wallClock: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        let (seconds, overflow) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return time.tv_sec > 0 ? .max : .min }
        let (sum, isPast) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
        return isPast ? .max : sum
    }
}
