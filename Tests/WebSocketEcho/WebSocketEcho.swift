import EventLoop
import Glibc
import MicroHTTP

/// A server whose WebSockets echo each message, for the Autobahn test suite.
///
/// A separate program, so that no setting of the product enables it. It reads, writes and ends WebSockets with the
/// product's own types; only the limits are as wide as the cases need.
@main
enum WebSocketEcho {
    static func main() async throws {
        let loop = try EventLoop(name: "echo")
        let echo = Echo(loop: loop)
        let configuration = Server.Configuration(
            handler: { request in
                do throws(WebSocketHandshake.Failure) {
                    let head = try WebSocketHandshake.accept(request, subprotocol: "echo")
                    return .detach({ socket in echo.assumeIsolated { $0.open(socket, head) } })
                } catch {
                    return .response(Response(status: 426))
                }
            },
            describe: { _ in Response(status: 400) }
        )
        let server = Server(loop: loop, configuration: configuration)
        let listener = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0))
        print(listener.address)
        fflush(nil)
        try await server.start(on: listener)
        // The parent process ends it by closing its standard input.
        while readLine() != nil {}
        await server.stop()
    }
}

/// The sockets of the loop.
private actor Echo: LoopActor, Watcher {
    private final class Peer {
        let writer: StreamWriter
        var reader: WebSocketReader
        var watch: EventLoop.Watch?

        init(_ socket: Socket, _ limits: WebSocketReader.Limits) {
            self.writer = StreamWriter(socket: socket)
            self.reader = WebSocketReader(limits: limits)
        }
    }

    nonisolated let loop: EventLoop
    private let lingering: LingeringClose
    private var peers: [Int: Peer] = [:]
    private var count = 0
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(loop: EventLoop) {
        self.loop = loop
        self.lingering = LingeringClose(loop: loop)
    }

    func open(_ socket: Socket, _ head: Frame) {
        var limits = WebSocketReader.Limits()
        (limits.message, limits.fragments, limits.takesBinary) = (32 * 1024 * 1024, .max, true)
        let peer = Peer(socket, limits)
        self.count += 1
        peer.watch = try? self.loop.watch(socket.descriptor, for: .readable, by: self, token: self.count)
        self.peers[self.count] = peer
        _ = peer.writer.write(head)
    }

    nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.assumeIsolated { $0.handle(token) }
    }

    /// Sends frames that wait; reads more only when none waits.
    private func handle(_ token: Int) {
        guard let peer = self.peers[token], self.settle(peer, peer.writer.resume(), token) else { return }
        let result = peer.reader.read(from: peer.writer, using: &self.buffer)
        let replies = result.messages.flatMap { message -> [UInt8] in
            var frame = Frame.webSocketText(message.bytes).bytes
            // RFC 6455 §5.2: FIN, and the opcode of a binary message.
            if !message.isText { frame[0] = 0x82 }
            return frame
        }
        // A pong may overtake frames before it; a closing frame may not.
        let frame = Frame(result.isOver ? replies + result.output : result.output + replies)
        if result.isOver { return self.end(peer, sending: peer.writer.unsent + [frame], token) }
        if frame.count > 0 { _ = self.settle(peer, peer.writer.write(frame), token) }
    }

    /// Whether all frames are sent.
    private func settle(_ peer: Peer, _ status: StreamWriter.Status, _ token: Int) -> Bool {
        switch status {
        case .clear, .blocked:
            if let watch = peer.watch {
                try? self.loop.rewatch(watch, for: status == .clear ? .readable : .writable)
            }
            return status == .clear
        case .overflowed, .gone:
            self.end(peer, sending: [], token)
            return false
        }
    }

    private func end(_ peer: Peer, sending frames: [Frame], _ token: Int) {
        if let watch = peer.watch { self.loop.unwatch(watch) }
        self.peers[token] = nil
        let socket = peer.writer.socket
        self.lingering.assumeIsolated { $0.end(socket, sending: frames) }
    }
}
