/// How much memory the process may use.
package enum MachineMemory {
    /// The least of the machine's memory, the limits of the process's control groups, and the addresses that it may
    /// still use (`ulimit -v`), in bytes.
    package static var bytes: Int { self.bytes(ProcessFigures.text(of:), addresses: ProcessFigures.freeAddresses) }

    /// The same; `text` gives the content of a file, and tests pass their own.
    static func bytes(_ text: (String) -> String, addresses: Int?) -> Int {
        let line = text("/proc/meminfo").split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
        let machine = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 } ?? .max
        return ([machine] + Self.groupLimits(text) + [addresses].compactMap(\.self)).min() ?? machine
    }

    /// The limits of the process's control groups and of their parents (cgroups(7)).
    ///
    /// For no limit, version 2 has `max`, version 1 a number greater than any machine's memory. Both may be mounted at
    /// once. In a container the path may be the host's, which is not visible; the mounted root is then the container's
    /// own group.
    private static func groupLimits(_ text: (String) -> String) -> [Int] {
        text("/proc/self/cgroup").split(separator: "\n").flatMap { line -> [Int] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            if parts[1].isEmpty { return self.limits("/sys/fs/cgroup", parts[2], "memory.max", text) }
            guard parts[1].split(separator: ",").contains("memory") else { return [] }
            return self.limits("/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes", text)
        }
    }

    private static func limits(
        _ root: String,
        _ group: Substring,
        _ name: String,
        _ text: (String) -> String
    ) -> [Int] {
        let path = [root] + group.split(separator: "/").map(String.init)
        return path.indices.compactMap { end in
            let file = (path[...end] + [name]).joined(separator: "/")
            return text(file).split(separator: "\n").first.flatMap { Int($0) }
        }
    }
}
