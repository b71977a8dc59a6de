import MicroHTTP
import ToastCore
import ToastHub

extension API {
    /// The colours of drafts that are hard to see in a channel.
    ///
    /// The channel is asked only when a draft has an appearance of its own.
    ///
    /// - Parameters:
    ///   - drafts: The drafts, each with the way to it in the request's document.
    ///   - name: The channel.
    /// - Returns: The warnings.
    /// - Throws: What is wrong with the channel.
    @inline(never)
    func warnings(
        of drafts: [(pointer: String, appearance: JSONObject?)],
        in name: ChannelName
    ) async throws(Problem) -> [ContrastWarning] {
        guard drafts.contains(where: { $0.appearance != nil }) else { return [] }
        let settings = try await self.settings(of: name)
        let warnings = drafts.lazy.flatMap { pointer, appearance in
            settings.warnings(of: appearance ?? [:]).lazy.map { $0.moved(to: pointer) }
        }
        // As many as issues of a document: the list is bounded.
        return Array(warnings.prefix(ValidationError.maximumIssues))
    }
}

extension JSONWriter {
    /// Writes the warnings as a member, if there are any.
    mutating func warnings(_ warnings: [ContrastWarning]) {
        if !warnings.isEmpty { self.member("warnings", warnings) }
    }
}
