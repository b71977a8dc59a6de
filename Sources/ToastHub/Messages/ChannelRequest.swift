package import ToastAccess
package import ToastCore

/// A command to a channel.
///
/// Apart from `attend`, a value without closures, so that a request can come from another task, loop or process.
package enum ChannelRequest: Sendable {
    /// Add toasts to the queue, all or none: `published`, or `repeated` when the same request was carried out under its
    /// key.
    case publish(PublishRequest)

    /// Change members of a toast, if its revision is one of `ifRevision` (any when `nil`): `toast`.
    case update(ToastID, ToastPatch, ifRevision: [Int]? = nil)

    /// Change members of all living toasts with a reuse identifier, all or none: `toasts`, presented ones first.
    case updateAll(reuseIdentifier: String, ToastPatch, ifRevision: [Int]? = nil)

    /// Dismiss a toast, if its revision is one of `ifRevision`: `toast`, as its first dismissal left it.
    case dismiss(ToastID, DismissReason, ifRevision: [Int]? = nil)

    /// Record that a person pressed an action: `toast`.
    case act(ToastID, action: String)

    /// Dismiss the living toasts that match; all of them by an empty filter: `count`.
    case clear(ToastFilter = ToastFilter())

    /// Stop a toast's countdown until the lease ends: `hold`.
    case hold(ToastID, holder: String, lease: Interval)

    /// Release a hold: `done`, also when there is none.
    case release(ToastID, holder: String)

    /// Change the channel's own settings and webhooks: `configuration`.
    case configure(SettingsChange)

    /// Disable a webhook: `count` of the deliveries that were given up with it.
    case switchOff(WebhookURL)

    /// End all toasts and forget the channel: `done`.
    case delete

    /// Read something without a change.
    case read(ChannelQuery)

    /// Include the toast's final state in its `dismissed` event: `lives`, false when the toast has already ended.
    case watchEnd(ToastID)

    /// Add a listener: `opening`.
    ///
    /// Indirect, because every async frame that a request passes has room for the largest case.
    indirect case attend(Attendance)

    /// The state, for a listener whose missed events are no longer in the log: `opening`.
    case snapshot(isReset: Bool, in: LanguageTag?)
}

/// A query about a channel.
package enum ChannelQuery: Sendable {
    /// The channel's own settings and its webhooks: `configuration`.
    case configuration

    /// The channel as a whole: `summary`.
    case summary

    /// A toast: `found`, with `nil` when it is unknown or was dismissed too long ago.
    ///
    /// The outcome of a toast that was published under an idempotency key is found for as long as the key is kept.
    case toast(ToastID)

    /// The toasts in a state, or the living ones when it is `nil`, all or one page: `listing`.
    ///
    /// Refused with `toastNotFound` when the last toast of the page before is no longer among them.
    case toasts(ToastState?, ToastPage? = nil)

    /// The toasts, living or dismissed, that no longer wait for their `notBefore`, in the order in which they were last
    /// published: `listing`, with the times.
    case published
}

/// A page of a list of toasts.
package struct ToastPage: Hashable, Sendable {
    /// The last toast of the page before; `nil` for the first page.
    package let after: ToastID?

    /// The most toasts of the page.
    package let limit: Int

    package init(after: ToastID?, limit: Int) {
        self.after = after
        self.limit = limit
    }

    /// The toasts of the page, and whether more follow; `nil` when the page before is no longer in the list.
    func cut(_ toasts: [Toast]) -> (toasts: [Toast], hasMore: Bool)? {
        var rest = toasts[...]
        if let after {
            guard let place = toasts.firstIndex(where: { $0.id == after }) else { return nil }
            rest = toasts[(place + 1)...]
        }
        return (Array(rest.prefix(self.limit)), rest.count > self.limit)
    }
}

/// A channel's answer; each case of ``ChannelRequest`` and ``ChannelQuery`` names its own.
///
/// Large cases are indirect, because every async frame that an answer passes has room for the largest case.
package enum ChannelAnswer: Sendable {
    case published(Publication)
    indirect case repeated(Repetition)
    indirect case toast(Toast)
    case toasts([Toast])
    indirect case found(Toast?)
    case listing(Listing)
    case count(Int)
    case hold(HoldAnswer)
    indirect case configuration(Configuration)
    indirect case summary(ChannelSummary)
    case lives(Bool)
    case opening(Opening)
    case done
}

/// Toasts to be published, all or none.
package struct PublishRequest: Sendable {
    package let drafts: [ToastDraft]

    /// The ids of the toasts, in the order of the drafts; empty when the channel draws them.
    ///
    /// A node that passes the request on draws them, so that it can send the request again: an id that the channel
    /// knows is not new.
    package let ids: [ToastID]

    /// The key under which the sender may repeat the request; `nil` when there is none.
    package let key: IdempotentRequest?

    package init(_ drafts: [ToastDraft], ids: [ToastID] = [], key: IdempotentRequest? = nil) {
        self.drafts = drafts
        self.ids = ids
        self.key = key
    }
}

/// The parts of a publish request that decide the form of its answer.
package struct AnswerForm: Sendable {
    package enum Shape: String, CaseIterable, Sendable {
        /// A toast.
        case toast
        /// A list of toasts.
        case batch
        /// One channel's part of an answer about several channels.
        case share
    }

    package var shape = Shape.toast

    /// Whether the sender wants only the header (RFC 7240 §4.2, `return=minimal`).
    package var isMinimal = false

    /// The principal that gets the answer.
    package var reader = Principal.withoutPermissions

    /// The language of the answer; `nil` for the server's default.
    package var language: LanguageTag?

    package var warnings: [Warning] = []

    package init() {}
}

/// Encodes the answer that repetitions of a publish get; it is stored together with the publish.
package protocol AnswerWriter: Sendable {
    func answer(to publication: Publication, in form: AnswerForm) -> [UInt8]
}

/// The state of a hold after a request.
package struct HoldAnswer: Hashable, Sendable {
    /// The remaining time of the toast; `nil` when it has no end.
    package let remaining: Interval?

    /// The time after which the hold ends unless it is renewed.
    package let lease: Interval

    package init(remaining: Interval?, lease: Interval) {
        self.remaining = remaining
        self.lease = lease
    }
}

/// Toasts of a channel, and the channel's cursor when they were read.
package struct Listing: Sendable {
    package let toasts: [Toast]
    package let cursor: Cursor

    /// Whether the list has more toasts after these.
    package let hasMore: Bool

    /// When each of the toasts was last published, where that was asked for; otherwise empty.
    package let publishedAt: [Instant]

    package init(toasts: [Toast], cursor: Cursor, hasMore: Bool = false, publishedAt: [Instant] = []) {
        self.toasts = toasts
        self.cursor = cursor
        self.hasMore = hasMore
        self.publishedAt = publishedAt
    }
}

/// An overview of a channel.
package struct ChannelSummary: Sendable {
    package let settings: Settings

    /// The number of toasts on screen.
    package let presented: Int

    package let queued: Int

    package let audience: [Transport: Int]

    /// The channel's last event.
    package let cursor: Cursor

    package init(settings: Settings, presented: Int, queued: Int, audience: [Transport: Int], cursor: Cursor) {
        self.settings = settings
        self.presented = presented
        self.queued = queued
        self.audience = audience
        self.cursor = cursor
    }
}
