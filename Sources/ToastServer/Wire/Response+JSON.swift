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
        Response(status: status, body: encoded)
            .adding("Content-Type", "application/json")
            .adding("Cache-Control", "no-store")
    }

    /// An answer with a toast and its entity tag, and the warnings about what was sent.
    static func toast(_ toast: Toast, status: Int = 200, warnings: [ContrastWarning] = []) -> Self {
        self.json(status) { writer in toast.write(to: &writer) { $0.warnings(warnings) } }
            .adding("ETag", toast.entityTag)
    }

    /// An answer that says nothing but that nothing has changed.
    static func notModified(_ tag: String) -> Self {
        Response(status: 304).adding("ETag", tag).adding("Cache-Control", "no-store")
    }
}

extension JSONWritable {
    /// The value as a JSON document.
    var encoded: [UInt8] {
        var writer = JSONWriter()
        self.write(to: &writer)
        return writer.bytes
    }
}

extension Toast {
    /// The strong entity tag: a toast is the same as long as its revision and its state are.
    var entityTag: String { "\"\(self.revision)-\(self.state.rawValue)\"" }

    /// Where the toast is found.
    var location: String { "/v1/channels/\(self.channel)/toasts/\(self.id)" }
}
