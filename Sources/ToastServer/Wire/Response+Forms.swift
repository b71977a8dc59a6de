import MicroHTTP
import ToastCore

extension Response {
    /// A response with a JSON document, never cached.
    static func json(_ status: Int = 200, _ body: (inout JSONWriter) -> Void) -> Self {
        var writer = JSONWriter()
        body(&writer)
        return self.json(status, encoded: writer.bytes)
    }

    /// A response with a JSON object whose members the body writes, never cached.
    static func object(_ status: Int = 200, _ members: (inout JSONWriter) -> Void) -> Self {
        self.json(status) { $0.object(members) }
    }

    /// A response with a JSON document that is encoded already.
    static func json(_ status: Int = 200, encoded: [UInt8]) -> Self {
        var response = Response(status: status, body: encoded)
        response.addHeaders(Self.jsonFields)
        return response
    }

    private static let jsonFields = [
        Field(name: "Content-Type", value: "application/json"),
        Field(name: "Cache-Control", value: "no-store"),
    ]

    /// An event stream that only says when to reconnect: 5 to 15 seconds after the given number of seconds.
    static func reconnectLater(after seconds: Int? = nil) -> Self {
        let milliseconds = (seconds ?? 0) * 1000 + Int.random(in: 5000...15_000)
        var response = Response(status: 200, body: Array("retry: \(milliseconds)\n\n".utf8))
        response.addHeader("Content-Type", "text/event-stream")
        response.addHeader("Cache-Control", "no-store, no-transform")
        response.closesConnection = true
        return response
    }

    /// The response to a client that has the current version.
    static func notModified(_ tag: String) -> Self {
        Response(status: 304).adding("ETag", tag).adding("Cache-Control", "no-store")
    }

    /// The same response with more header fields.
    consuming func adding(_ fields: [(name: String, value: String)]) -> Self {
        for (name, value) in fields { self.addHeader(name, value) }
        return self
    }
}

extension Reply {
    /// A response without a body, whose status says that the request was carried out.
    static var noContent: Self { .response(Response(status: 204).adding("Cache-Control", "no-store")) }

    /// A response with a JSON object whose members the body writes, never cached.
    static func object(_ status: Int = 200, _ members: (inout JSONWriter) -> Void) -> Self {
        .response(.object(status, members))
    }
}

extension Toast {
    /// The path of the toast's URL.
    var location: String {
        var text = ByteBuffer(capacity: 128)
        text.append("/v1/channels/")
        text.append(self.channel.rawValue)
        text.append("/toasts/")
        self.id.spell(to: &text)
        return text.text
    }
}
