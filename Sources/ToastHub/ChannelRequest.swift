package import ToastAccess
package import ToastCore

/// What a channel is asked to do.
///
/// A value without closures, so that a request can come from another task, another loop or another process.
package enum ChannelRequest: Sendable {
    /// Add toasts to the queue, all or none: `published`, or `repeated` when the same request came before under its key.
    case publish(PublishRequest)

    /// Change members of a toast, if its revision is one of those (any when `nil`): `toast`.
    case update(ToastID, ToastPatch, ifRevision: [Int]? = nil)

    /// Change members of all living toasts with a reuse identifier, all or none: `toasts`, those on screen first.
    case updateAll(reuseIdentifier: String, ToastPatch, ifRevision: [Int]? = nil)

    /// Dismiss a toast, if its revision is one of those: `toast`, as the first dismissal left it.
    case dismiss(ToastID, DismissReason, ifRevision: [Int]? = nil)

    /// Record that a person pressed an action: `toast`.
    case act(ToastID, action: String)

    /// Dismiss the living toasts that match; all of them by an empty filter: `count`.
    case clear(ToastFilter = ToastFilter())

    /// Stop a toast's countdown until the lease ends: `hold`.
    case hold(ToastID, holder: String, lease: Interval)

    /// Give a hold back: `done`, also when there is none.
    case release(ToastID, holder: String)

    /// Change the channel's own settings and webhooks: `configuration`.
    case configure(SettingsChange)

    /// Switch a webhook off: `count`, of the deliveries that were given up with it.
    case switchOff(WebhookURL)

    /// End all toasts and forget the channel: `done`.
    case delete

    /// Read something, which changes nothing.
    case read(ChannelQuery)

    /// Tell in the event that ends a toast how it ended: `lives`, false when it has ended already.
    case watchEnd(ToastID)

    /// Let a listener hear the channel from now on: `opening`.
    case attend(Attendance)

    /// The state for a listener that cannot have all that happened since it last heard the channel: `opening`.
    case snapshot(isReset: Bool, in: LanguageTag?)
}

/// What is read of a channel.
package enum ChannelQuery: Sendable {
    /// The channel's own settings and its webhooks: `configuration`.
    case configuration

    /// The channel as a whole: `summary`.
    case summary

    /// A toast: `found`, with `nil` when it is not known, or was dismissed too long ago.
    ///
    /// A toast that was published under an idempotency key is found for as long as the key is kept.
    case toast(ToastID)

    /// The toasts in a state, or the living ones when it is `nil`: `listing`.
    case toasts(ToastState?)
}

/// What a channel answers; each case of ``ChannelRequest`` and ``ChannelQuery`` says which.
package enum ChannelAnswer: Sendable {
    case published(Publication)
    case repeated(Repetition)
    case toast(Toast)
    case toasts([Toast])
    case found(Toast?)
    case listing(Listing)
    case count(Int)
    case hold(Hold)
    case configuration(Configuration)
    case summary(ChannelSummary)
    case lives(Bool)
    case opening(Opening)
    case done
}

/// Toasts to be published, all or none.
package struct PublishRequest: Sendable {
    package let drafts: [ToastDraft]

    /// The key under which the sender may repeat the request; `nil` when it may not.
    package let key: IdempotentRequest?

    /// How the answer is written that a repetition gets.
    package let form: AnswerForm

    package init(_ drafts: [ToastDraft], key: IdempotentRequest? = nil, form: AnswerForm = AnswerForm()) {
        self.drafts = drafts
        self.key = key
        self.form = form
    }
}

/// A listener that is to hear a channel.
package struct Attendance: Sendable {
    /// Who is told, from the moment of the request.
    let fanout: Fanout
    let listener: Listener

    /// Where the listener stood when it last heard the channel; `nil` when it is new.
    let cursor: Cursor?

    /// The language that it reads in; `nil` for the server's own.
    let language: LanguageTag?
}

/// How a publish is answered: what of the request decides it.
package struct AnswerForm: Sendable {
    package enum Shape: Sendable {
        /// A toast.
        case toast
        /// A list of toasts.
        case batch
        /// A part of the answer about several channels.
        case share
    }

    package var shape = Shape.toast

    /// Whether the sender wants the header only (RFC 7240 §4.2, `return=minimal`).
    package var isMinimal = false

    /// Who gets the answer.
    package var reader = Principal.anonymous([])

    /// The language of the answer; `nil` for the server's own.
    package var language: LanguageTag?

    package var warnings: [Warning] = []

    package init() {}
}

/// Writes the answer that a repetition of a publish gets; it is stored together with the publish.
package protocol AnswerWriter: Sendable {
    func answer(to publication: Publication, in form: AnswerForm) -> [UInt8]
}

/// A hold, and how long it lasts.
package struct Hold: Hashable, Sendable {
    /// How much time the toast has left; `nil` when it has no end.
    package let remaining: Interval?

    /// How long the hold lasts unless it is renewed.
    package let lease: Interval
}

/// Toasts of a channel, and where the channel stood when they were read.
package struct Listing: Sendable {
    package let toasts: [Toast]
    package let cursor: Cursor
}

/// A channel seen from outside.
package struct ChannelSummary: Sendable {
    package let settings: EffectiveSettings

    /// How many toasts are on screen.
    package let presented: Int

    /// How many wait.
    package let queued: Int

    /// Listeners that count as audience, by transport.
    package let audience: [Transport: Int]

    /// Where the channel stands.
    package let cursor: Cursor
}
