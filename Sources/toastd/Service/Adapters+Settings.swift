import Foundation
import ToastServer

extension Adapters {
    /// The routes that the settings ask for.
    ///
    /// - Throws: `mercureKey` when its file is missing or too short.
    init(_ settings: ServerSettings) throws(StartError) {
        self.init()
        self.ntfy = settings.ntfy
        self.gotify = settings.gotify
        if let path = settings.mercureKeyFile { self.mercureKey = try Self.key(in: path) }
    }

    /// A secret of at least 256 bits (RFC 7518 §3.2), without the line feed that editors add.
    private static func key(in path: String) throws(StartError) -> [UInt8] {
        var key: [UInt8]
        do throws(FileFault) { key = try FileFault.read(path) } catch { throw .mercureKey(path, error.detail) }
        while let last = key.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { key.removeLast() }
        guard key.count >= 32 else { throw .mercureKey(path, "a secret has 32 bytes or more") }
        return key
    }
}
