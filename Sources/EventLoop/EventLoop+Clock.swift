import CLinux
import Glibc

extension EventLoop {
    /// Nanoseconds on the monotonic clock, in which timers count.
    public static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
