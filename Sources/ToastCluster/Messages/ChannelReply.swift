import ToastCore
import ToastHub

/// The reply of a channel's owner to a ``RequestMessage`` or an ``AttendMessage``.
///
/// A listing, an opening's snapshot and, with a batch of many toasts, other answers can be longer than a message of
/// the bus: see ``PieceStore``.
enum ChannelReply: Sendable {
    /// The channel carried the request out.
    case answer(ChannelAnswer)

    /// The channel did not carry the request out.
    case failure(ChannelError)

    /// The node does not own the channel, or is not sure that it does: find the owner, and ask again.
    case notOwner

    private enum Name: String {
        case published, repeated, toast, toasts, found, listing, count, hold, configuration, summary, lives, opening
        case done, failure, notOwner
    }

    private var name: Name {
        switch self {
        case .answer(.published): .published
        case .answer(.repeated): .repeated
        case .answer(.toast): .toast
        case .answer(.toasts): .toasts
        case .answer(.found): .found
        case .answer(.listing): .listing
        case .answer(.count): .count
        case .answer(.hold): .hold
        case .answer(.configuration): .configuration
        case .answer(.summary): .summary
        case .answer(.lives): .lives
        case .answer(.opening): .opening
        case .answer(.done): .done
        case .failure: .failure
        case .notOwner: .notOwner
        }
    }

    func encoded() -> [UInt8] {
        MessageParts.bytes(.reply, runs: self.runs) { writer in
            writer.member("reply", self.name.rawValue)
            switch self {
            case .answer(let answer): answer.writeMembers(to: &writer)
            case .failure(let error): error.writeMembers(to: &writer)
            case .notOwner: break
            }
        }
    }

    private var runs: [[UInt8]] {
        switch self {
        case .answer(.published(let publication)): publication.runs
        case .answer(.repeated(let repetition)): [repetition.answer]
        case .answer(.opening(let opening)): opening.snapshot.map { [$0] } ?? []
        default: []
        }
    }

    init(_ parts: MessageParts) throws(MessageError) {
        let head = parts.head
        switch try head.read("reply", Name.init(rawValue:)) {
        case .published: self = .answer(.published(try Publication(parts)))
        case .repeated: self = .answer(.repeated(try Repetition(parts)))
        case .toast: self = .answer(.toast(try Toast(head.value("toast"))))
        case .toasts: self = .answer(.toasts(try head.list("toasts", Toast.init(_:))))
        case .found: self = .answer(.found(try head.object["toast"].map(Toast.init(_:))))
        case .listing: self = .answer(.listing(try Listing(head)))
        case .count: self = .answer(.count(try head.count("count")))
        case .hold: self = .answer(.hold(try HoldAnswer(head)))
        case .configuration: self = .answer(.configuration(try Configuration(head)))
        case .summary: self = .answer(.summary(try ChannelSummary(head)))
        case .lives: self = .answer(.lives(try head.flag("lives")))
        case .opening: self = .answer(.opening(try Opening(parts)))
        case .done: self = .answer(.done)
        case .failure: self = .failure(try ChannelError(head))
        case .notOwner: self = .notOwner
        }
    }
}

extension ChannelAnswer {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .published(let publication): publication.writeMembers(to: &writer)
        case .repeated(let repetition):
            writer.member("toast", repetition.toast)
            writer.member("outcome", repetition.outcome)
        case .toast(let toast): writer.member("toast", toast)
        case .toasts(let toasts): writer.member("toasts", toasts)
        case .found(let toast): writer.member("toast", toast)
        case .listing(let listing):
            writer.member("toasts", listing.toasts)
            writer.member("cursor", listing.cursor.description)
            writer.flag("hasMore", listing.hasMore)
            writer.list("publishedAt", listing.publishedAt.map(\.nanoseconds))
        case .count(let count): writer.member("count", count)
        case .hold(let hold):
            writer.member("remaining", hold.remaining?.nanoseconds)
            writer.member("lease", hold.lease.nanoseconds)
        case .configuration(let configuration): configuration.writeMembers(to: &writer)
        case .summary(let summary): summary.writeMembers(to: &writer)
        case .lives(let lives): writer.flag("lives", lives)
        case .opening(let opening):
            writer.flag("isReset", opening.isReset)
            writer.member("start", opening.start.rawValue)
            writer.member("stored", opening.stored.rawValue)
            writer.member("instant", opening.instant.nanoseconds)
        case .done: break
        }
    }
}
