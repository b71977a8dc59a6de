import Sealing
import ToastServer

extension ClusterKey {
    /// The key in a file.
    ///
    /// - Throws: `clusterKey` when it cannot be used.
    init(contentsOf path: String) throws(StartError) {
        let content: [UInt8]
        do throws(FileFault) { content = try FileFault.read(path) } catch { throw .clusterKey(path, error.detail) }
        do throws(ClusterKeyError) {
            self = try ClusterKey(fileContent: content)
        } catch {
            throw .clusterKey(path, error.description)
        }
    }
}
