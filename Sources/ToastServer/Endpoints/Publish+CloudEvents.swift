import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

extension Request {
    /// Whether a body of this media type is one or more CloudEvents.
    func carriesCloudEvents(as mediaType: String?) -> Bool {
        self.headers.count(of: "ce-specversion") > 0 || mediaType?.hasPrefix("application/cloudevents") == true
    }
}

extension API {
    /// The toasts of CloudEvents (github.com/cloudevents/spec); their ids make repetitions safe.
    func cloudEvents(in request: Request, of caller: Caller) throws(Problem) -> PublishBody {
        try self.checkMemory()
        let input = request.input(self.limits)
        let isBatch = input.mediaType == "application/cloudevents-batch+json"
        // Before any of them is read, as with other batches.
        if isBatch, let count = (try? input.json())?.array?.count { try self.chargeRest(of: count, to: caller) }
        let events: [ReceivedCloudEvent]
        let toasts: [MappedToast]
        do throws(FormatError) {
            events = try ReceivedCloudEvent.events(of: input)
            toasts = try events.map { event throws(FormatError) in try event.toast(self.limits) }
        } catch {
            throw Problem(from: error)
        }
        return PublishBody(
            drafts: toasts.map(\.draft),
            isBatch: isBatch,
            warnings: toasts.flatMap(\.warnings),
            // Never fails: the key is a digest, so it is valid.
            repetition: try? self.idempotentRequest(
                request,
                of: caller,
                under: ReceivedCloudEvent.repetitionKey(of: events)
            )
        )
    }
}
