public import Foundation

/// Why a server of the tests did not start.
public struct NATSServerError: Error, CustomStringConvertible {
    /// The reason in words.
    public let description: String
}

/// A real nats-server with JetStream on a free port of the loopback, with a directory of its own.
///
/// The tests of one server are done by one task, so its state needs no lock; ``end()`` must be called.
public final class NATSServer {
    /// Its name in a cluster.
    public let name: String
    /// Its directory, which ``end()`` removes.
    public let directory: URL
    /// The port of its clients; it stays the same over restarts.
    public private(set) var port = -1
    private let program: String
    private let arguments: [String]
    private var process: pid_t?

    /// The address for clients.
    public var url: String { "nats://127.0.0.1:\(self.port)" }

    /// Where the program is: what `TOASTD_NATS_SERVER` names, or else what `make tools` installed.
    public static func program() throws -> String {
        let installed = try Self.installed("bin/nats-server")
        let program = ProcessInfo.processInfo.environment["TOASTD_NATS_SERVER"] ?? installed
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw NATSServerError(description: "There is no \(program): run `make tools`, or set TOASTD_NATS_SERVER.")
        }
        return program
    }

    private init(name: String, program: String? = nil, arguments: [String]) throws {
        self.name = name
        self.program = try program ?? Self.program()
        self.directory = FileManager.default.temporaryDirectory.appending(path: "nats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.directory, withIntermediateDirectories: true)
        self.arguments = arguments
    }

    /// Where the program of a server is that is too old for toastd, as `make tools` installed it.
    public static func oldProgram() throws -> String {
        let program = try Self.installed("nats-old/bin/nats-server")
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw NATSServerError(description: "There is no \(program): run `make tools`.")
        }
        return program
    }

    private static func installed(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return root.appending(path: ".venv").appending(path: path).path
    }

    /// Starts one server, and returns when it serves; by default of the program that ``program()`` names.
    public static func start(program: String? = nil) throws -> NATSServer {
        let server = try NATSServer(name: "single", program: program, arguments: [])
        do {
            try server.launch()
            try server.waitUntilHealthy()
            return server
        } catch {
            server.end()
            throw error
        }
    }

    /// Starts three servers that are a cluster, and returns when all of them serve.
    ///
    /// Another process may take one of their ports before they have it; then it tries others.
    public static func startCluster() throws -> [NATSServer] {
        for _ in 0..<2 { if let servers = try? self.startClusterOnce() { return servers } }
        return try self.startClusterOnce()
    }

    private static func startClusterOnce() throws -> [NATSServer] {
        let ports = try FreePort.reserve(3)
        let routes = ports.map { "nats://127.0.0.1:\($0)" }.joined(separator: ",")
        var servers: [NATSServer] = []
        do {
            for (index, port) in ports.enumerated() {
                let arguments = [
                    "--cluster_name", "tests", "--cluster", "nats://127.0.0.1:\(port)", "--routes", routes,
                ]
                servers.append(try NATSServer(name: "n\(index)", arguments: arguments))
                try servers[index].launch()
            }
            for server in servers { try server.waitUntilHealthy() }
            return servers
        } catch {
            for server in servers { server.end() }
            throw error
        }
    }

    /// Ends it at once, without a word to its clients.
    public func kill() {
        self.send(SIGKILL)
        self.reap()
    }

    /// Ends it in order.
    public func stop() {
        self.send(SIGTERM)
        self.reap()
    }

    /// Stops its clock until ``resume()``.
    public func pause() { self.send(SIGSTOP) }

    /// Lets it run again.
    public func resume() { self.send(SIGCONT) }

    /// Starts it again, on the same port and with the same data.
    public func restart() throws {
        if self.process != nil { self.stop() }
        try self.launch()
        try self.waitUntilHealthy()
    }

    /// Ends it and removes what it stored.
    public func end() {
        self.kill()
        try? FileManager.default.removeItem(at: self.directory)
    }

    // MARK: The process

    private func launch() throws {
        try? FileManager.default.removeItem(at: self.portsFile(of: self.process ?? 0))
        let words =
            [
                self.program, "--jetstream", "--store_dir", self.directory.path, "--addr", "127.0.0.1", "--port",
                "\(self.port)",
                "--http_port", "-1", "--ports_file_dir", self.directory.path, "--server_name", self.name,
                "--log", self.directory.appending(path: "log").path,
            ] + self.arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        // Otherwise it keeps pipes of other tests open, which then wait for their end for ever.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 3..<getdtablesize() { posix_spawn_file_actions_addclose(&actions, descriptor) }
        let code = posix_spawn(&child, self.program, &actions, nil, &pointers, environ)
        guard code == 0 else { throw NATSServerError(description: "posix_spawn: \(code)") }
        self.process = child
    }

    private func send(_ signal: CInt) {
        if let process { _ = Glibc.kill(process, signal) }
    }

    private func reap() {
        guard let process else { return }
        var status: CInt = 0
        while waitpid(process, &status, 0) == -1 && errno == EINTR {}
        try? FileManager.default.removeItem(at: self.portsFile(of: process))
        self.process = nil
    }

    private func portsFile(of process: pid_t) -> URL {
        self.directory.appending(path: "nats-server_\(process).ports")
    }

    private struct Ports: Decodable {
        let nats: [String]
        let monitoring: [String]
    }

    /// Asks the server for its health until it has an answer, for half a minute at most.
    private func waitUntilHealthy() throws {
        guard let process else { return }
        let deadline = ContinuousClock.now + .seconds(30)
        var last = "it wrote no ports file"
        while ContinuousClock.now < deadline {
            if let data = try? Data(contentsOf: self.portsFile(of: process)),
                let ports = try? JSONDecoder().decode(Ports.self, from: data),
                let client = ports.nats.first.flatMap({ URL(string: $0)?.port }),
                let monitor = ports.monitoring.first.flatMap({ URL(string: $0)?.port })
            {
                self.port = client
                last = FreePort.get("/healthz", port: monitor)
                if last.hasPrefix("HTTP/1.1 200") { return }
            }
            usleep(5000)
        }
        let log = (try? String(contentsOf: self.directory.appending(path: "log"), encoding: .utf8)) ?? ""
        throw NATSServerError(description: "nats-server \(self.name) does not serve: \(last)\n\(log.suffix(2000))")
    }
}
