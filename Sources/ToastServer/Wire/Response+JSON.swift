import MicroHTTP
import ToastCore

extension Response {
    /// An answer with a JSON document, never cached.
    static func json(_ status: Int = 200, _ body: (inout JSONWriter) -> Void) -> Self {
        var writer = JSONWriter()
        body(&writer)
        return self.json(status, encoded: writer.bytes)
    }

    /// An answer with a JSON document that is encoded already.
    static func json(_ status: Int = 200, encoded: [UInt8]) -> Self {
        var response = Response(status: status, body: encoded)
        response.addHeaders(Self.jsonFields)
        return response
    }

    private static let jsonFields = [
        Field(name: "Content-Type", value: "application/json"),
        Field(name: "Cache-Control", value: "no-store"),
    ]

    /// An answer that says nothing but that nothing has changed.
    static func notModified(_ tag: String) -> Self {
        Response(status: 304).adding("ETag", tag).adding("Cache-Control", "no-store")
    }
}

extension Toast {
    /// Where the toast is found.
    var location: String {
        var text = ByteBuffer(capacity: 128)
        text.append("/v1/channels/")
        text.append(self.channel.rawValue)
        text.append("/toasts/")
        self.id.spell(to: &text)
        return text.text
    }
}
