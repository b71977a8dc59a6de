import MicroHTTP
import ToastAccess

extension API {
    /// Adds the routes of the other systems that are switched on.
    func addAdapterRoutes(_ add: (Method, String, RateClass, ForeignRoute, @escaping Endpoint) -> Void) {
        func on(
            _ methods: [Method],
            _ path: String,
            _ rate: RateClass,
            _ foreign: ForeignRoute,
            opensStream: Bool = false,
            _ endpoint: @escaping Endpoint
        ) {
            var foreign = foreign
            foreign.changes = rate != .read || opensStream
            for method in methods { add(method, path, rate, foreign, endpoint) }
        }
        if self.adapters.ntfy {
            let ntfy = self.ntfyRoute
            on([.post, .put], "/", .publish, ntfy, self.publishNtfyDocument)
            on([.post, .put], "/{topic}", .publish, ntfy, self.publishNtfy)
            for word in ["publish", "send", "trigger"] {
                on([.get, .post, .put], "/{topic}/\(word)", .publish, ntfy, self.publishNtfy)
            }
            on([.post, .put], "/{topic}/{sequence}", .publish, ntfy, self.publishNtfy)
            on([.delete], "/{topic}/{sequence}", .change, ntfy, self.removeNtfy(telling: "message_delete"))
            for (word, event) in [("clear", "message_clear"), ("read", "message_clear"), ("delete", "message_delete")] {
                on([.put], "/{topic}/{sequence}/\(word)", .change, ntfy, self.removeNtfy(telling: event))
            }
            for form in NtfyForm.allCases {
                on([.get], "/{topic}/\(form.rawValue)", .read, ntfy, opensStream: true, self.readNtfy(as: form))
            }
            on([.get], "/{topic}/auth", .read, ntfy, self.checkNtfy)
            on([.get], "/v1/health", .read, ntfy, self.ntfyHealth)
        }
        if self.adapters.gotify {
            let gotify = self.gotifyRoute
            on([.post], "/gotify/{channel}/message", .publish, gotify, self.publishGotify)
            on([.get], "/gotify/{channel}/version", .read, gotify, self.gotifyVersion)
            on([.get], "/gotify/{channel}/health", .read, gotify, self.gotifyHealth)
        }
        if self.adapters.mercureKey != nil {
            on([.post], "/.well-known/mercure", .publish, self.mercureRoute, self.publishMercure)
        }
    }
}
