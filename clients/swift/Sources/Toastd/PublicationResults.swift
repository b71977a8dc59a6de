/// What became of one toast in several channels, each of which decides separately.
public struct PublicationResults: Sendable, Hashable, Decodable {
    /// How many channels accepted and refused the toast.
    public struct Summary: Sendable, Hashable, Decodable {
        /// The number of channels in the request.
        public let channelCount: Int
        /// The number of channels that have the toast.
        public let acceptedCount: Int
        /// The number of channels that refused it.
        public let refusedCount: Int
    }

    /// What became of the toast in one channel: it has either `toast` or `problem`.
    public struct ChannelResult: Sendable, Hashable {
        /// The name of the channel.
        public let channel: String
        /// The status that a request to this channel alone would have, such as 201 or 429.
        public let status: Int
        /// The toast; nil if the channel refused it.
        public let toast: Toast?
        /// Members of the draft that have no effect in this channel, and colours that are hard to see there.
        public let warnings: [ToastWarning]?
        /// Why the channel refused the toast; nil if it accepted it.
        public let problem: ToastProblem?
    }

    /// How many channels accepted and refused the toast.
    public let summary: Summary
    /// The result of each channel, in the order of the request.
    public let results: [ChannelResult]
    /// Members of the draft that have no effect in any channel.
    public let warnings: [ToastWarning]?
}

extension PublicationResults.ChannelResult: Decodable {
    private enum CodingKeys: String, CodingKey { case channel, status, toast, warnings, problem }

    /// Reads a value.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let status = try members.decode(Int.self, forKey: .status)
        self.channel = try members.decode(String.self, forKey: .channel)
        self.status = status
        self.toast = try members.decodeIfPresent(Toast.self, forKey: .toast)
        self.warnings = try members.decodeIfPresent([ToastWarning].self, forKey: .warnings)
        self.problem = try members.decodeIfPresent(ToastProblem.Document.self, forKey: .problem)
            .map { ToastProblem(status: status, document: $0) }
    }
}
