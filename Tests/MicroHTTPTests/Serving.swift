import EventLoop
import Testing

@testable import MicroHTTP

/// Runs a server on a free port during a test.
func withServer(
    _ handler: @escaping Handler,
    _ setUp: (inout Server.Configuration) -> Void = { _ in },
    test: (UInt16) async throws -> Void
) async throws {
    let (server, port, loop) = try await startServer(handler, setUp)
    do { try await test(port) } catch { Issue.record(error) }
    await server.stop()
    loop.stop()
}

/// Starts a server; the test stops it and its loop.
func startServer(
    _ handler: @escaping Handler,
    _ setUp: (inout Server.Configuration) -> Void = { _ in }
) async throws -> (Server, UInt16, EventLoop) {
    let loop = try EventLoop(name: "http")
    var configuration = Server.Configuration(handler: handler) { error in
        switch error {
        case .unknownTransferCoding: Response(status: 501)
        case .bodyTooLong: Response(status: 413)
        default: Response(status: 400)
        }
    }
    setUp(&configuration)
    let server = Server(loop: loop, configuration: configuration)
    let listener = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0))
    let port = listener.address.port
    try await server.start(on: listener)
    return (server, port, loop)
}
