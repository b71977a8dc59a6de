import Foundation
import Sealing

extension ClusterKey {
    /// The key in a file.
    ///
    /// - Throws: Why it cannot be used, in words.
    init(contentsOf path: String) throws(ClusterKeyFileError) {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw ClusterKeyFileError(path: path, reason: "it cannot be read")
        }
        do throws(ClusterKeyError) {
            self = try ClusterKey(fileContent: Array(content))
        } catch {
            throw ClusterKeyFileError(path: path, reason: error.description)
        }
    }
}

/// The file with the key of the cluster cannot be used.
struct ClusterKeyFileError: Error, CustomStringConvertible {
    /// The file.
    let path: String

    /// Why, in words.
    let reason: String

    var description: String { "The cluster key \(self.path) cannot be used: \(self.reason)." }
}
