import Foundation
import Synchronization

/// Files that were read and hashed before, for as long as they stay as they were.
///
/// Shared by all loops. When it is full it is emptied: a page has a few dozen files, so that it fills at all means that
/// somebody asks for other things.
final class PageCache: Sendable {
    /// What tells one state of a file from another.
    private struct Stamp: Equatable {
        let modified: Date
        let size: Int
        let node: Int

        init?(path: String) {
            // Without attributes there is no such file, or not for us: it is read, and that fails.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let modified = attributes[.modificationDate] as? Date, let size = attributes[.size] as? Int,
                let node = attributes[.systemFileNumber] as? Int
            else { return nil }
            self.modified = modified
            self.size = size
            self.node = node
        }
    }

    private struct Memory {
        var files: [String: (stamp: Stamp, file: Pages.File)] = [:]
        var bytes = 0
    }

    /// The most bytes that are kept.
    private static let byteLimit = 16 * 1024 * 1024

    /// A file that changed so recently may change again within its time stamp's grain.
    private static let settleTime: TimeInterval = 2

    private let memory = Mutex(Memory())

    /// A file as it is now.
    ///
    /// - Parameters:
    ///   - path: Where the file is, links resolved.
    ///   - read: Reads it; called when it is not known, or not in this state.
    /// - Returns: The file; nil when there is none that may be served.
    func file(at path: String, read: () -> Pages.File?) -> Pages.File? {
        let stamp = Stamp(path: path)
        if let stamp, let known = self.memory.withLock({ $0.files[path] }), known.stamp == stamp { return known.file }
        guard let file = read() else { return nil }
        if let stamp, stamp.modified.timeIntervalSinceNow < -Self.settleTime { self.keep(file, stamp, path) }
        return file
    }

    private func keep(_ file: Pages.File, _ stamp: Stamp, _ path: String) {
        self.memory.withLock { memory in
            if let old = memory.files.removeValue(forKey: path) { memory.bytes -= old.file.content.count }
            if memory.bytes + file.content.count > Self.byteLimit { memory = Memory() }
            guard file.content.count <= Self.byteLimit else { return }
            memory.files[path] = (stamp, file)
            memory.bytes += file.content.count
        }
    }
}
