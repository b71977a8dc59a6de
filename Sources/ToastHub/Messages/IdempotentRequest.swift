package import ToastCore

/// Identifies a request that its sender may repeat without effect.
package struct IdempotentRequest: Sendable {
    package let key: IdempotencyKey

    /// A digest of the request.
    package let fingerprint: [UInt8]

    /// The form of the answer that is stored for repetitions.
    package var form: AnswerForm

    package init(key: IdempotencyKey, fingerprint: [UInt8], form: AnswerForm = AnswerForm()) {
        self.key = key
        self.fingerprint = fingerprint
        self.form = form
    }
}

/// The stored result of an earlier request with the same key.
package struct Repetition: Sendable {
    /// The answer to the first request.
    package let answer: [UInt8]

    /// The published toast; nil when there were several, or when an older version stored the record.
    package let toast: ToastID?

    /// The final state of that toast; nil while it lives.
    package let outcome: Toast?

    package init(answer: [UInt8], toast: ToastID?, outcome: Toast?) {
        self.answer = answer
        self.toast = toast
        self.outcome = outcome
    }

    init(_ record: IdempotencyRecord) {
        self.answer = record.response
        self.toast = record.toast
        self.outcome = record.toast.flatMap { id in
            record.outcome.flatMap { ToastOutcome(id: id, document: $0).toast }
        }
    }
}
