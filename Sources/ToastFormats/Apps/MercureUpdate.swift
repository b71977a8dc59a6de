package import ToastCore

/// An update as Mercure's publishers post it (mercure.rocks/spec, §5).
package struct MercureUpdate: Sendable {
    /// The topics: the first is the canonical one.
    package let topics: [String]

    /// The id that the publisher chose.
    package let id: String?

    package let toast: MappedToast

    /// The channel: the last segment of the canonical topic.
    package let channel: ChannelName

    /// Reads a form.
    ///
    /// - Throws: Why it is refused.
    package init(_ input: FormatInput) throws(FormatError) {
        guard input.mediaType == "application/x-www-form-urlencoded", let fields = try input.form() else {
            throw .invalid("", "A form is expected.")
        }
        self.topics = fields.filter { $0.name == "topic" }.map(\.value)
        guard let topic = self.topics.first, let channel = Self.channel(of: topic) else {
            throw .invalid("/topic", "A topic whose last segment is a channel's name is expected.")
        }
        self.channel = channel
        self.id = fields["id"].flatMap { $0.isEmpty ? nil : $0 }
        guard self.id.map({ !$0.hasPrefix("#") && $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } }) ?? true else {
            throw .invalid("/id", "An id without white space that does not begin with # is expected.")
        }
        let data = fields["data"] ?? ""
        var warnings: [Warning] = []
        if self.topics.count > 1 {
            warnings.append(Warning(pointer: "/topic", detail: "Only the first topic names a channel."))
        }
        for name in ["type", "retry", "private"] where fields[name] != nil {
            warnings.append(Warning(pointer: "/" + name, detail: "It has no effect on a toast; it is dropped."))
        }
        let members = (try? JSON(parsing: Array(data.utf8), depthLimit: input.limits.depth))?.object
        let toast: MappedToast
        if let members, members.hasToastText {
            toast = try MappedToast(foreign: members, input.limits)
        } else {
            var mapping = ToastMapping(input.limits)
            mapping.message(data, at: "/data")
            toast = try mapping.draft()
        }
        self.toast = MappedToast(draft: toast.draft, warnings: warnings + toast.warnings)
    }

    private static func channel(of topic: String) -> ChannelName? {
        let path = topic.prefix { $0 != "?" && $0 != "#" }
        return path.split(separator: "/").last.flatMap { ChannelName(rawValue: String($0)) }
    }
}
