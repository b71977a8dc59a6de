import Foundation

/// The system's figures about the process at one moment.
struct ProcessFigures: Sendable {
    let cpuSeconds: Double
    let residentBytes: Int
    let virtualBytes: Int
    let openDescriptors: Int
    let maximumDescriptors: Int
    /// When the process started, in seconds since 1970.
    let startSeconds: Double

    /// Reads the figures; off the loops, because listing 100,000 descriptors takes long.
    @concurrent static func read() async -> Self {
        let pages = self.pages
        let descriptors = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return Self(
            // clock(3): processor time in microseconds.
            cpuSeconds: Double(clock()) / 1_000_000,
            residentBytes: pages.resident * self.pageSize,
            virtualBytes: pages.virtual * self.pageSize,
            // Without the one that reads the directory.
            openDescriptors: max(0, (descriptors?.count ?? 0) - 1),
            maximumDescriptors: self.limit("Max open files") ?? .max,
            startSeconds: self.start
        )
    }

    /// Resident memory that is neither shared nor a file's, in bytes: what the system would kill the process for.
    static var ownBytes: Int {
        let pages = self.pages
        return (pages.resident - pages.shared) * self.pageSize
    }

    /// The limit of `ulimit -v` without the addresses that are reserved and not used, such as stacks and the heap's
    /// arenas; `nil` when there is no such limit.
    static var freeAddresses: Int? {
        guard let limit = self.limit("Max address space") else { return nil }
        let pages = self.pages
        return max(1, limit - (pages.virtual - pages.resident) * self.pageSize)
    }

    private static let pageSize = sysconf(CInt(_SC_PAGESIZE))

    /// The first three numbers of `statm` (proc(5)).
    private static var pages: (virtual: Int, resident: Int, shared: Int) {
        let pages = self.text(of: "/proc/self/statm").split(separator: " ").prefix(3).compactMap { Int($0) }
        return pages.count == 3 ? (pages[0], pages[1], pages[2]) : (0, 0, 0)
    }

    /// A soft limit of the process by its name in proc(5); `nil` for `unlimited`.
    private static func limit(_ name: String) -> Int? {
        let line = self.text(of: "/proc/self/limits").split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return line?.dropFirst(name.count).split(separator: " ").first.flatMap { Int($0) }
    }

    /// proc(5): field 22 of `stat` is the start in ticks since boot; the name in field 2 may have blanks and brackets.
    private static let start: Double = {
        let fields = Self.text(of: "/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let boot = Self.text(of: "/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard fields.count > 19, let ticks = Double(fields[19]), let seconds = boot.flatMap({ Double($0.dropFirst(6)) })
        else { return 0 }
        return seconds + ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }()

    /// A file of the system's; empty when it cannot be read.
    static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
