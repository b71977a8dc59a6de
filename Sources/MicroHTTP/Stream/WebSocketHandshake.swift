import Crypto
import FoundationEssentials

/// The server's side of the opening handshake, RFC 6455 §4.2.
public enum WebSocketHandshake {
    /// Why a request is not an opening handshake.
    public enum Failure: Error, Hashable, Sendable {
        /// The request does not ask for a WebSocket, or is malformed; the text says what is missing.
        case notAHandshake(String)

        /// The client offers subprotocols, but not the one of this server: respond with 400.
        case unknownSubprotocol

        /// The version is not 13: respond with 426 and `Sec-WebSocket-Version: 13`.
        case unsupportedVersion
    }

    /// The head of the response that opens the socket.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - subprotocol: The subprotocol to agree on, if the client offers any.
    ///   - fields: More header fields, without line breaks.
    /// - Returns: The head, to be sent before the first frame.
    /// - Throws: The rule that the request breaks.
    public static func accept(
        _ request: Request,
        subprotocol: String,
        adding fields: [(name: String, value: String)] = []
    ) throws(Failure) -> Frame {
        let headers = request.headers
        // "An |Upgrade| header field containing the value "websocket", treated as an ASCII case-insensitive value."
        guard headers.list("upgrade").contains(where: { $0.lowercased() == "websocket" }) else {
            throw .notAHandshake("Upgrade: websocket is missing")
        }
        // "A |Connection| header field that includes the token "Upgrade"."
        guard headers.list("connection").contains(where: { $0.lowercased() == "upgrade" }) else {
            throw .notAHandshake("Connection: Upgrade is missing")
        }
        // "A |Sec-WebSocket-Version| header field, with a value of 13."
        guard headers["sec-websocket-version"] == "13" else { throw .unsupportedVersion }
        // "A |Sec-WebSocket-Key| header field with a base64-encoded value that, when decoded, is 16 bytes in length."
        guard let key = headers["sec-websocket-key"], headers.count(of: "sec-websocket-key") == 1, Self.isKey(key)
        else { throw .notAHandshake("Sec-WebSocket-Key is missing or malformed") }

        // A client that offers subprotocols understands no other one; one that offers none gets this one, unnamed.
        let offered = headers.list("sec-websocket-protocol")
        guard offered.isEmpty || offered.contains(subprotocol) else { throw .unknownSubprotocol }

        var head = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Accept: \(Self.accept(for: key))\r\n"
        // §4.2.2: the server may only select a subprotocol that the client has offered.
        if !offered.isEmpty { head += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        return Frame(Array((head + "\r\n").utf8))
    }

    /// Whether a text is the canonical base64 of 16 bytes: other texts with the same bytes are refused.
    private static func isKey(_ key: String) -> Bool {
        guard let bytes = Data(base64Encoded: key), bytes.count == 16 else { return false }
        return bytes.base64EncodedString() == key
    }

    /// §4.2.2, 5.4: the key and a fixed text, hashed with SHA-1, in base64.
    private static func accept(for key: String) -> String {
        let hash = Insecure.SHA1.hash(data: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(hash).base64EncodedString()
    }
}
