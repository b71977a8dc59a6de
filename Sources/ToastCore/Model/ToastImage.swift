extension Issues {
    /// A picture that a toast shows: its URL, and a description for people who do not see it, unless it is only
    /// decoration.
    mutating func image(_ value: JSON) -> JSONObject? {
        guard let object = self.object(value) else { return nil }
        self.warn(ofMembersBeside: ["url", "alt"], in: object)
        let url: Link? = self.member("url", of: object) { $0.link($1) }
        let alt = object["alt"].flatMap { alt in
            self.member("alt") { issues in issues.text(alt, limit: issues.limits.textLength, mayBeEmpty: true) }
        }
        guard let url else { return nil }
        var image: JSONObject = ["url": .string(url.rawValue)]
        image["alt"] = alt.map(JSON.string)
        return image
    }
}
