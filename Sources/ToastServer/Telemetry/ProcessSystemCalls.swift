// What the system knows of the process.

import CoreFoundation  // Where whole-module builds find what timespec is made of.
import Glibc

/// What the system says of the process at a moment.
struct ProcessFigures: Sendable {
    var cpuSeconds = 0.0
    var residentBytes = 0
    var virtualBytes = 0
    var openDescriptors = 0
    var maximumDescriptors = 0
    /// Since 1970.
    var startSeconds = 0.0

    /// Asks the system; off the loops, because a list of 100,000 descriptors takes its time.
    @concurrent static func read() async -> Self {
        var figures = Self()
        var time = timespec()
        if unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 {
            figures.cpuSeconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
        let page = sysconf(CInt(_SC_PAGESIZE))
        let pages = self.text(of: "/proc/self/statm").split(separator: " ").compactMap { Int($0) }
        if pages.count > 1 { (figures.virtualBytes, figures.residentBytes) = (pages[0] * page, pages[1] * page) }
        var limit = rlimit()
        if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            figures.maximumDescriptors = Int(clamping: limit.rlim_cur)
        }
        figures.openDescriptors = self.countDescriptors()
        figures.startSeconds = self.start
        return figures
    }

    /// The memory that nobody but the process has, and that is no file's: what it would be killed for.
    static var ownBytes: Int {
        let pages = self.text(of: "/proc/self/statm").split(separator: " ").compactMap { Int($0) }
        return pages.count > 2 ? (pages[1] - pages[2]) * sysconf(CInt(_SC_PAGESIZE)) : 0
    }

    /// What `ulimit -v` lets the process use beside the addresses that it has reserved and does not use, such as stacks
    /// and the heap's arenas; nil when there is no such limit.
    static var freeAddresses: Int? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max
        else { return nil }
        let page = sysconf(CInt(_SC_PAGESIZE))
        let pages = self.text(of: "/proc/self/statm").split(separator: " ").compactMap { Int($0) }
        let unused = pages.count > 1 ? (pages[0] - pages[1]) * page : 0
        return max(1, Int(clamping: limit.rlim_cur) - unused)
    }

    /// proc(5): field 22 of `stat` is the start in ticks since boot; the name in field 2 may hold blanks and brackets.
    private static let start: Double = {
        let fields = Self.text(of: "/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let boot = Self.text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 19, let ticks = Double(fields[19]), let seconds = boot.flatMap({ Double($0.dropFirst(6)) })
        else { return 0 }
        return seconds + ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }()

    private static func countDescriptors() -> Int {
        guard let directory = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(directory) }
        var count = 0
        while unsafe readdir(directory) != nil { count += 1 }
        // Neither `.` and `..`, nor the one that reads the directory.
        return max(0, count - 3)
    }

    static func text(of path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
