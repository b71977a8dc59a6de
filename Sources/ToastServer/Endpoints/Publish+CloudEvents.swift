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
        if let count = (try? input.json())?.array?.count { try self.chargeRest(of: count, to: caller) }
        do throws(FormatError) {
            let events = try ReceivedCloudEvent.events(of: input)
            var toasts: [MappedToast] = []
            for event in events { toasts.append(try event.toast(self.limits)) }
            let isBatch = input.mediaType == "application/cloudevents-batch+json"
            let warnings = toasts.flatMap(\.warnings)
            var body = PublishBody(drafts: toasts.map(\.draft), isBatch: isBatch, warnings: warnings)
            // Never fails: the key is a digest, so it is valid.
            let key = ReceivedCloudEvent.repetitionKey(of: events)
            body.repetition = try? self.idempotentRequest(request, of: caller, under: key)
            return body
        } catch {
            throw self.problem(error)
        }
    }
}
