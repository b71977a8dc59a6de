import ToastAccess
package import ToastCore
package import ToastHub

/// Encodes the answers that are stored for repetitions (draft-ietf-httpapi-idempotency-key-header).
package struct KeptAnswers: AnswerWriter {
    private let catalogs: Catalogs
    private let epoch: Epoch

    package init(catalogs: Catalogs, epoch: Epoch) {
        self.catalogs = catalogs
        self.epoch = epoch
    }

    package func answer(to publication: Publication, in form: AnswerForm) -> [UInt8] {
        guard form.shape != .share else { return SharedToast(publication)?.record ?? [] }
        let reader = ResponseLocale(form.reader, in: form.language, self.catalogs.lexicon, self.epoch)
        let isStripped = publication.toasts.first.map { !form.reader.may(.subscribe, on: $0.channel) } ?? false
        return API.record(PublicationAnswer(form, reader).response(publication), isStripped: isStripped)
    }
}
