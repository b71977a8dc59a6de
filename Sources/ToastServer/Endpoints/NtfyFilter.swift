import MicroHTTP
import ToastFormats

/// The values that messages must have for a reader of ntfy (docs.ntfy.sh/subscribe/api, "Filter messages").
struct NtfyFilter {
    private let id: String?
    private let message: String?
    private let title: String?
    private let priorities: Set<Int>

    /// Reads the filter of a request.
    ///
    /// - Throws: Why the filter is refused.
    init(_ request: Request) throws(NtfyMessage.Refusal) {
        self.id = request.ntfyParameter(["x-id", "id"])
        self.message = request.ntfyParameter(["x-message", "message", "m"])
        self.title = request.ntfyParameter(["x-title", "title", "t"])
        var priorities: Set<Int> = []
        for text in request.ntfyParameter(["x-priority", "priority", "prio", "p"])?.split(separator: ",") ?? [] {
            guard let priority = NtfyMessage.priority(String(text)) else { throw .priority }
            priorities.insert(priority)
        }
        self.priorities = priorities
        guard request.ntfyParameter(["x-tags", "tags", "tag", "ta"]) == nil else { throw .tags }
    }

    /// Whether the reader wants an event; only messages are filtered.
    func wants(_ event: NtfyEvent) -> Bool {
        guard case .message = event else { return true }
        return (self.id == nil || self.id == event.id) && (self.message == nil || self.message == event.text)
            && (self.title == nil || self.title == event.title)
            && (self.priorities.isEmpty || self.priorities.contains(event.priority ?? 3))
    }
}

extension Request {
    /// The first value of a parameter that is not empty, under several names of header fields and query parameters.
    func ntfyParameter(_ names: [String]) -> String? {
        names.lazy.compactMap { self.headers[$0] ?? self.target.value($0) }.first { !$0.isEmpty }
    }
}
