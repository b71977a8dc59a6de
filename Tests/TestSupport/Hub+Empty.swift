package import EventLoop
package import ToastCore
package import ToastHub

extension Hub {
    /// A hub whose store has no catalogs, default settings and hooks yet.
    package convenience init(
        loops: [EventLoop],
        store: any Store,
        clock: HubClock,
        answers: any AnswerWriter = MessageAnswers(),
        catalogs: Catalogs? = nil,
        defaults: ServerDefaults? = nil,
        gate: (any ChannelGate)? = nil
    ) {
        self.init(
            loops: loops,
            store: store,
            clock: clock,
            answers: answers,
            catalogs: catalogs ?? Catalogs(store: store, sent: [:]),
            defaults: defaults ?? ServerDefaults(store: store, sent: SettingsDefaults()),
            hooks: Hooks(store: store, []),
            gate: gate
        )
    }
}

/// Uses the message of the first toast as the stored answer.
package struct MessageAnswers: AnswerWriter {
    package init() {}

    package func answer(to publication: Publication, in form: AnswerForm) -> [UInt8] {
        Array((publication.toasts.first?.message?.text ?? "").utf8)
    }
}
