/// How much memory there is for the process.
public enum MachineMemory {
    /// The memory of the machine, or of the control group that the process is in, in bytes.
    public static var bytes: Int {
        let line = ProcessFigures.text(of: "/proc/meminfo").split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        let machine = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? .max
        return ([machine] + Self.groupLimits).min() ?? machine
    }

    /// The limits of the group and of those that it is in (cgroups(7), version 2); `max` is none.
    private static var groupLimits: [Int] {
        let line = ProcessFigures.text(of: "/proc/self/cgroup").split(separator: "\n").first { $0.hasPrefix("0::/") }
        var path = (line?.dropFirst("0::/".count)).map { $0.split(separator: "/") } ?? []
        var limits: [Int] = []
        while true {
            let file = (["/sys/fs/cgroup"] + path.map(String.init) + ["memory.max"]).joined(separator: "/")
            let text = ProcessFigures.text(of: file).split(separator: "\n").first
            if let limit = text.flatMap({ Int($0) }) { limits.append(limit) }
            if path.popLast() == nil { return limits }
        }
    }
}
