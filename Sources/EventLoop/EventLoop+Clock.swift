import CLinux
import Glibc

extension EventLoop {
    /// Nanoseconds on the monotonic clock, in which timers count.
    public static var now: Int64 { Self.reading(of: CLOCK_MONOTONIC) }

    /// Nanoseconds since the machine was started, including time suspended (`CLOCK_BOOTTIME`).
    public static var bootTime: Int64 { Self.reading(of: CLOCK_BOOTTIME) }

    private static func reading(of clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
