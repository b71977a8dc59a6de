import EventLoop
import ToastCore

/// The id of one of ntfy's messages: 12 letters and digits.
///
/// ntfy's readers treat two messages with the same id as one, but a toast that is published again is a new message. So
/// each revision of a toast has its own id. All ids of a toast begin with the same 9 characters.
struct NtfyID: Equatable {
    let text: String

    /// The id of a message, by the members of its toast.
    init(toast: String, revision: Int) {
        // The last 12 digits of a toast's id are random.
        let random = String(toast.suffix(12))
        guard revision > 1 else {
            self.text = random
            return
        }
        let number = String(revision % 32_768, radix: 32)
        self.text = random.prefix(Self.common) + String(repeating: "0", count: 12 - Self.common - number.count) + number
    }

    init(of toast: Toast) { self.init(toast: toast.id.description, revision: toast.revision) }

    /// The id of an event without a toast.
    static func random(at now: Instant) -> Self {
        var generator = RandomBlock()
        return Self(toast: ToastID(at: now, using: &generator).description, revision: 1)
    }

    /// Whether an id that a client sent is of the same toast, perhaps of an earlier revision.
    func isOfSameToast(as text: String) -> Bool {
        text.count == 12 && text.prefix(Self.common) == self.text.prefix(Self.common)
    }

    /// The number of characters with which all ids of a toast begin.
    private static let common = 9
}
