import Foundation
import Toastd

/// A server that gives one answer after another, and keeps the requests.
///
/// It closes a connection after an answer that says so.
final class ScriptedServer: @unchecked Sendable {
    // @unchecked Sendable: what changes is used only under `lock`.
    let url: URL
    private let listener: Int32
    private let lock = NSLock()
    private var received: [String] = []
    private var answers: ArraySlice<String?>

    /// The heads of the requests so far, each with the part of its body that came with it.
    var requests: [String] { self.lock.withLock { self.received } }

    /// - Parameter answers: Whole HTTP messages; nil loses the answer. Without further answers every one is lost.
    /// - Throws: `TestServer.Failure` if no port is free.
    init(_ answers: [String?]) throws {
        let (descriptor, port) = try TestServer.boundSocket()
        guard listen(descriptor, 16) == 0, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw TestServer.Failure(log: "no listener")
        }
        self.listener = descriptor
        self.url = url
        self.answers = answers[...]
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                // A client may keep one connection, and open another.
                Thread.detachNewThread { [weak self] in
                    Self.serve(connection) { self?.answer(to: $0) }
                    close(connection)
                }
            }
            // Closed here, so that this thread never accepts from another server's listener with the same number.
            close(descriptor)
        }
    }

    deinit {
        // It wakes the thread, which then ends.
        shutdown(self.listener, Int32(SHUT_RDWR))
    }

    /// Answers the requests of a connection until one of the answers ends it, or is lost.
    private static func serve(_ connection: Int32, _ answer: (String) -> String?) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(connection, &buffer, buffer.count)
            guard count > 0, let answer = answer(String(decoding: buffer[..<count], as: UTF8.self)) else { return }
            _ = write(connection, answer, answer.utf8.count)
            guard !answer.contains("Connection: close") else { return }
        }
    }

    private func answer(to request: String) -> String? {
        self.lock.withLock {
            self.received.append(request)
            return self.answers.popFirst() ?? nil
        }
    }

    /// An HTTP message with a JSON body; `fields` are further lines of its head.
    static func answer(_ status: String, _ body: String, fields: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            + "\(fields)Connection: close\r\n\r\n\(body)"
    }

    /// A toast as JSON.
    static func toast(_ id: String = "t1", state: String = "queued") -> String {
        #"{"id":"\#(id)","channel":"ops","revision":1,"state":"\#(state)","createdAt":"2026-01-01T00:00:00.000Z"}"#
    }

    /// A problem document.
    static func problem(_ status: String, _ type: String) -> String {
        Self.answer(status, #"{"type":"urn:toastd:problem:\#(type)","title":"No."}"#)
    }
}

/// The problem with which a server refuses a request.
func problem(of request: () async throws -> Void) async throws -> ToastProblem {
    do {
        try await request()
    } catch ToastdError.problem(let problem) {
        return problem
    }
    throw TestServer.Failure(log: "The request was not refused.")
}
