import Sealing
import ToastServer

extension ClusterKey {
    /// The key in a file.
    ///
    /// - Throws: Why it cannot be used, in words.
    init(contentsOf path: String) throws(ClusterKeyFileError) {
        let content: [UInt8]
        do throws(FileFault) { content = try FileFault.read(path) } catch {
            throw ClusterKeyFileError(path: path, reason: error.detail)
        }
        do throws(ClusterKeyError) {
            self = try ClusterKey(fileContent: content)
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
