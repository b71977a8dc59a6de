import Foundation
import Toastd

/// The real server, on a port that stays the same when it starts again.
final class TestServer: @unchecked Sendable {
    // @unchecked Sendable: one test uses a server at a time; of the shared one only the URL is read, which is constant.
    let url: URL
    private let directory: URL
    private let port: UInt16
    private var process = Process()

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The server of the tests that need none of their own.
    static let shared = Result {
        let server = try TestServer()
        atexit { TestServer.removeShared() }
        return server
    }

    /// Ends the shared server, which is never released.
    private static func removeShared() {
        if case .success(let server) = self.shared { server.remove() }
    }

    init() throws {
        self.port = try Self.freePort()
        guard let url = URL(string: "http://127.0.0.1:\(self.port)") else { throw Failure(log: "no URL") }
        self.url = url
        self.directory = FileManager.default.temporaryDirectory.appending(path: "toastd-swift-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
        try self.start()
    }

    deinit { self.remove() }

    /// Ends the server, and removes what it has stored.
    func remove() {
        self.end(SIGKILL)
        try? FileManager.default.removeItem(at: self.directory)  // Nothing depends on it.
    }

    func start() throws {
        let environment = ProcessInfo.processInfo.environment
        let binary = environment["TOASTD_BIN"] ?? ".build/debug/toastd"
        let process = Process()
        process.executableURL = URL(filePath: binary, relativeTo: Self.root)
        process.currentDirectoryURL = Self.root
        process.environment = environment.filter { !$0.key.hasPrefix("TOASTD_") }
        let store = "sqlite:\(self.directory.appending(path: "toastd.db").path())"
        process.arguments = ["serve", "--listen", "127.0.0.1:\(self.port)", "--store", store, "--public", "public"]
        let log = Pipe()
        process.standardError = log
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
        var text = Data()
        while !String(decoding: text, as: UTF8.self).contains("serving at") {
            let more = log.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure(log: String(decoding: text, as: UTF8.self)) }
            text += more
        }
        // The server must not wait for somebody to read its log.
        log.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    func end(_ signal: Int32) {
        guard self.process.isRunning else { return }
        kill(self.process.processIdentifier, signal)
        self.process.waitUntilExit()
    }

    struct Failure: Error { let log: String }

    private static func freePort() throws -> UInt16 {
        let (descriptor, port) = try Self.boundSocket()
        close(descriptor)
        return port
    }

    /// A socket at a free port of this machine.
    static func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) + getsockname(descriptor, pointer, &length)
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failure(log: "no free port")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }
}
