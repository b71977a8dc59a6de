import CCurl

/// Names a transfer of a ``MultiHandle`` while it is under way.
typealias TransferKey = Int

/// A transfer as libcurl has it: owned, under way from the first to the last moment of this object.
@safe final class EasyHandle {
    /// How long a transfer may take to connect, and as a whole, in milliseconds; `total` is 0 for any time.
    struct Timeouts {
        let connect: Int
        let total: Int
    }

    /// Retained, because the callbacks get it without a reference count.
    let transfer: Transfer
    private let multi: MultiHandle
    private let easy: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    /// Where libcurl writes what went wrong, in more detail than ``MultiHandle/nextEnded()``.
    private let report: UnsafeMutablePointer<CChar>

    /// Begins a transfer; nil when an option was refused, or there is no memory.
    init?(_ transfer: Transfer, on multi: MultiHandle, _ timeouts: Timeouts, bypassesProxy: Bool) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        let request = transfer.request
        var headers: UnsafeMutablePointer<curl_slist>?
        // An empty `Expect` keeps libcurl from waiting for "100 Continue" before a long body.
        for field in [(name: "Expect", value: "")] + request.headers {
            unsafe headers = curl_slist_append(headers, "\(field.name): \(field.value)")
        }
        let report = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe report.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.transfer = transfer
        self.multi = multi
        unsafe self.easy = easy
        unsafe self.headers = headers
        unsafe self.report = report
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        var results = unsafe [
            ccurl_set_string(easy, CURLOPT_URL, request.url),
            ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method),
            ccurl_set_list(easy, CURLOPT_HTTPHEADER, headers),
            ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, report),
            // libcurl checks these itself, before it uses anything of the URL.
            ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            ccurl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            // A credential is for the server that was named, and no other.
            ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
            ccurl_set_write(easy, CURLOPT_WRITEFUNCTION, onBody),
            ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
            ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, onHeaderLine),
            ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect),
            ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, timeouts.total),
            ccurl_set_long(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
        ]
        if let body = request.body {
            unsafe results += [
                // The size first: COPYPOSTFIELDS copies so many bytes.
                ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)),
                body.withUnsafeBytes { unsafe ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) },
            ]
        }
        if bypassesProxy {
            // Whatever the environment says.
            unsafe results += [
                ccurl_set_string(easy, CURLOPT_PROXY, ""), ccurl_set_string(easy, CURLOPT_NOPROXY, "*"),
            ]
        }
        if transfer.isRestricted {
            unsafe results += [
                ccurl_set_open_socket(easy, onOpenSocket), ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context),
            ]
        }
        guard results.allSatisfy({ $0 == CURLE_OK }), unsafe curl_multi_add_handle(multi.multi, easy) == CURLM_OK else {
            return nil
        }
    }

    deinit {
        // Does nothing when the handle was never added (curl_multi_remove_handle(3)).
        _ = unsafe curl_multi_remove_handle(self.multi.multi, self.easy)
        unsafe curl_easy_cleanup(self.easy)
        unsafe curl_slist_free_all(self.headers)
        unsafe self.report.deallocate()
    }

    var key: TransferKey { unsafe TransferKey(bitPattern: self.easy) }

    /// The status of the response; zero when none came.
    var status: Int { self.number(CURLINFO_RESPONSE_CODE) }

    /// The response's `Retry-After`, in seconds from now; nil when there is none.
    var retryAfter: Int? {
        var seconds: curl_off_t = 0
        let result = unsafe ccurl_get_offset(self.easy, CURLINFO_RETRY_AFTER, &seconds)
        return result == CURLE_OK && seconds > 0 ? Int(seconds) : nil
    }

    /// Whether anything of the request was sent.
    var wasSent: Bool { self.number(CURLINFO_REQUEST_SIZE) > 0 }

    private func number(_ info: CURLINFO) -> Int {
        var number = 0
        _ = unsafe ccurl_get_long(self.easy, info, &number)
        return number
    }

    /// What went wrong, perhaps with parts of the request; empty when libcurl does not say.
    var reason: String { unsafe String(cString: self.report) }
}
