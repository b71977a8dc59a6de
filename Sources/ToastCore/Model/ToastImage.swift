/// A picture that a toast shows.
public struct ToastImage: Hashable, Sendable {
    /// Where the picture is.
    public let url: Link

    /// A description for people who do not see the picture; `nil` when it is only decoration.
    public let alt: String?
}

extension ToastImage: JSONWritable {
    /// Writes `{"url", "alt"}`.
    public func write(to writer: inout JSONWriter) { self.json.write(to: &writer) }

    /// The picture as a publisher would send it.
    var json: JSON {
        var object: JSONObject = ["url": .string(self.url.rawValue)]
        object["alt"] = self.alt.map(JSON.string)
        return .object(object)
    }
}

extension Issues {
    mutating func image(_ value: JSON) -> ToastImage? {
        guard let object = self.object(value) else { return nil }
        self.warn(ofMembersBeside: ["url", "alt"], in: object)
        let url: Link? = self.member("url", of: object) { $0.link($1) }
        let alt = object["alt"].flatMap { alt in
            self.member("alt") { issues in issues.text(alt, limit: issues.limits.textLength, mayBeEmpty: true) }
        }
        return url.map { ToastImage(url: $0, alt: alt) }
    }
}
