import Foundation
import Glibc
import Testing
import ToastCore

@testable import ToastStore

@Suite struct DatabaseFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("toast.db")
    }

    private func isRefused(_ error: any Error, saying text: String) -> Bool {
        guard case StoreError.unavailable(let reason) = error else { return false }
        return reason.contains(text)
    }

    @Test func `a second store on a file is refused under every name of the file`() async throws {
        let store = try SQLiteStore(path: self.path)
        let files = FileManager.default
        let symbolic = self.directory.file("symbolic.db")
        try files.createSymbolicLink(atPath: symbolic, withDestinationPath: self.path)
        let hard = self.directory.file("hard.db")
        try files.linkItem(atPath: self.path, toPath: hard)
        try files.removeItem(atPath: self.path + "-lock")
        for name in [self.path, symbolic, hard] {
            #expect { try SQLiteStore(path: name) } throws: { self.isRefused($0, saying: "Another toastd") }
        }
        // SQLite still has its locks: the refused store has not closed the file.
        let descriptor = open(self.path, O_RDWR)
        var lock = flock()
        (lock.l_type, lock.l_start, lock.l_len) = (CShort(F_WRLCK), 1 << 30, 512)
        // F_OFD_GETLK
        #expect(fcntl(descriptor, 36, &lock) == 0 && lock.l_type != F_UNLCK)
        try files.removeItem(atPath: hard)
        await store.close()
        close(descriptor)
        let again = try SQLiteStore(path: symbolic)
        await again.close()
    }

    @Test func `a database with two names is refused, because its log has one`() async throws {
        let store = try SQLiteStore(path: self.path)
        await store.close()
        let other = self.directory.file("other.db")
        try FileManager.default.linkItem(atPath: self.path, toPath: other)
        for name in [self.path, other] {
            #expect { try SQLiteStore(path: name) } throws: { self.isRefused($0, saying: "2 names") }
        }
        try FileManager.default.removeItem(atPath: other)
        let again = try SQLiteStore(path: self.path)
        await again.close()
    }

    @Test(arguments: ["", "-wal"], [true, false])
    func `an append is refused when the file was moved or replaced`(part: String, isReplaced: Bool) async throws {
        let notices = Notices()
        let store = try SQLiteStore(path: self.path) { notices.add($0) }
        try await store.append(.make())
        let away = self.directory.file("away")
        try FileManager.default.moveItem(atPath: self.path + part, toPath: away)
        if isReplaced { try Data().write(to: URL(fileURLWithPath: self.path + part)) }
        for _ in 0..<2 {
            await #expect { try await store.append(.make(after: 1)) } throws: {
                self.isRefused($0, saying: "removed or replaced")
            }
        }
        #expect(store.failure.map { self.isRefused($0, saying: "removed or replaced") } == true)
        if isReplaced { try FileManager.default.removeItem(atPath: self.path + part) }
        try FileManager.default.moveItem(atPath: away, toPath: self.path + part)
        try await store.append(.make(after: 1))
        #expect(store.failure == nil)
        #expect(try await store.load(.make()).tail.offsets == [1, 2])
        await store.close()
    }

    @Test(.timeLimit(.minutes(15)))
    func `a removed file is noticed without an append`() async throws {
        let (failures, failure) = AsyncStream.makeStream(of: StoreNotice.self)
        let store = try SQLiteStore(path: self.path) { failure.yield($0) }
        try FileManager.default.removeItem(atPath: self.path)
        for await notice in failures {
            guard case .failing(let error) = notice else { continue }
            #expect(self.isRefused(error, saying: "removed or replaced"))
            break
        }
        await store.close()
    }

    @Test func `only its owner reads a database`() async throws {
        let store = try SQLiteStore(path: self.path)
        func modes() throws -> [String: Int] {
            let files = try FileManager.default.contentsOfDirectory(atPath: self.directory.path)
            let modes = try files.map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: self.directory.file(name))
                return (name, attributes[.posixPermissions] as? Int ?? 0)
            }
            return Dictionary(uniqueKeysWithValues: modes)
        }
        let names = ["", "-wal", "-shm", "-lock"].map { "toast.db" + $0 }
        #expect(try modes() == Dictionary(uniqueKeysWithValues: names.map { ($0, 0o600) }))
        // Files with the permissions of an older version.
        let copy = self.directory.file("copy.db")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: self.path + suffix, toPath: copy + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy + suffix)
        }
        let again = try SQLiteStore(path: copy)
        _ = try Backup.write(copy, to: self.directory.file("backup.db"), replaces: false)
        #expect(try Set(modes().values) == [0o600])
        await again.close()
        await store.close()
    }

    @Test func `a backup that was killed leaves one file, which the next one takes over`() async throws {
        let store = try SQLiteStore(path: self.path)
        let copy = self.directory.file("copy.db")
        for suffix in ["", "-journal"] {
            try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: Backup.draft(of: copy) + suffix))
        }
        _ = try Backup.write(self.path, to: copy, replaces: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: self.directory.path)
        #expect(files.filter { $0.hasPrefix("copy") } == ["copy.db"])
        let other = try DatabaseFile(path: Backup.draft(of: copy), isLockedByName: false)
        #expect { try Backup.write(self.path, to: copy, replaces: true) } throws: {
            self.isRefused($0, saying: "Another backup is being written")
        }
        other.unlock()
        await store.close()
    }
}
