import Testing

@testable import ToastServer

@Suite struct MachineMemoryTests {
    private static let machine = "MemTotal:       2048 kB\nMemFree:        1024 kB\n"

    private func bytes(_ files: [String: String], addresses: Int? = nil) -> Int {
        MachineMemory.bytes({ files[$0] ?? ($0 == "/proc/meminfo" ? Self.machine : "") }, addresses: addresses)
    }

    @Test func withoutALimitItIsTheMachines() {
        #expect(self.bytes([:]) == 2048 * 1024)
        #expect(self.bytes(["/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "max\n"]) == 2048 * 1024)
    }

    @Test func aGroupOfVersion2AndThoseAboveItCount() {
        var files = ["/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "5000\n"]
        #expect(self.bytes(files) == 5000)
        files["/sys/fs/cgroup/a/memory.max"] = "4000\n"
        #expect(self.bytes(files) == 4000)
    }

    @Test func aGroupOfVersion1Counts() {
        let groups = "12:cpu,cpuacct:/x\n5:memory:/docker/abc\n0::/system.slice\n"
        let place = "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes"
        #expect(self.bytes(["/proc/self/cgroup": groups, place: "6000\n"]) == 6000)
        // Version 1 without a limit: a number greater than any machine's memory.
        #expect(self.bytes(["/proc/self/cgroup": groups, place: "9223372036854771712\n"]) == 2048 * 1024)
    }

    @Test func aContainerSeesItsOwnGroupAtTheRoot() {
        let files = [
            "/proc/self/cgroup": "5:hugetlb,memory:/docker/abc\n",
            "/sys/fs/cgroup/memory/memory.limit_in_bytes": "7000\n",
        ]
        #expect(self.bytes(files) == 7000)
    }

    @Test func whatUlimitLeavesCounts() {
        #expect(self.bytes([:], addresses: 3000) == 3000)
        #expect(self.bytes([:], addresses: .max) == 2048 * 1024)
    }
}
