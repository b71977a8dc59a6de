import Foundation

/// A file or directory that cannot be used, and why.
package struct FileFault: Error, CustomStringConvertible {
    /// Its path.
    package let path: String

    /// What is wrong with it, and where.
    package let detail: String

    /// The path and the detail in one line.
    package var description: String { "\(self.path): \(self.detail)" }

    /// The first bytes of a file, at most `count`; throws why it cannot be read.
    package static func read(_ path: String, upTo count: Int = .max) throws(Self) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            return Array(try file.read(upToCount: count) ?? Data())
        } catch {
            throw Self(path: path, detail: Self.reason(error, path))
        }
    }

    private static func reason(_ error: any Error, _ path: String) -> String {
        switch error {
        case CocoaError.fileReadNoSuchFile: "there is no such file"
        case CocoaError.fileReadNoPermission: "the user that toastd runs as has no permission to read it"
        case _ where (try? FileManager.default.contentsOfDirectory(atPath: path)) != nil: "it is a directory"
        default: "it cannot be read"
        }
    }
}
