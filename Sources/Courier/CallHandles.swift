import CCurl

/// One call of curl's: owned, and gone with this value.
@safe struct CallHandle: ~Copyable {
    private let easy: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    /// Where curl writes what went wrong, in more words than ``MultiHandle/nextEnded()`` has.
    private let report: UnsafeMutablePointer<CChar>
    /// Whether curl took every option.
    private let isComplete: Bool

    /// How long a connection may take, in milliseconds.
    private static let connectTimeout = 10_000

    /// A handle for a call, whose exchange must outlive it; nil when there is no memory.
    init?(for call: Call, into exchange: Exchange) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        var headers: UnsafeMutablePointer<curl_slist>?
        // A body never waits for leave to be sent.
        for field in [(name: "Expect", value: "")] + call.headers {
            unsafe headers = curl_slist_append(headers, "\(field.name): \(field.value)")
        }
        let report = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe report.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe self.easy = easy
        unsafe self.headers = headers
        unsafe self.report = report
        let context = unsafe Unmanaged.passUnretained(exchange).toOpaque()
        var results = unsafe [
            ccurl_set_string(easy, CURLOPT_URL, call.url),
            ccurl_set_string(easy, CURLOPT_CUSTOMREQUEST, call.method),
            ccurl_set_pointer(easy, CURLOPT_ERRORBUFFER, report),
            ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            ccurl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            // A credential is for the server that was named, and no other.
            ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
            ccurl_set_write(easy, CURLOPT_WRITEFUNCTION, onBody),
            ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
            ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, onLine),
            ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.connectTimeout),
            ccurl_set_long(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            ccurl_set_list(easy, CURLOPT_HTTPHEADER, headers),
        ]
        if let body = call.body {
            unsafe results += [
                // The size first: COPYPOSTFIELDS copies so many bytes.
                ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)),
                body.withUnsafeBytes { unsafe ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) },
            ]
        }
        if call.isDirect { unsafe results.append(ccurl_set_string(easy, CURLOPT_NOPROXY, "*")) }
        self.isComplete = results.allSatisfy { $0 == CURLE_OK }
    }

    deinit {
        unsafe curl_easy_cleanup(self.easy)
        unsafe curl_slist_free_all(self.headers)
        unsafe self.report.deallocate()
    }

    /// The status of the answer; zero when none came.
    var status: Int {
        var status = 0
        _ = unsafe ccurl_get_long(self.easy, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// Whether anything of the request went out.
    var wasSent: Bool {
        var size = 0
        _ = unsafe ccurl_get_long(self.easy, CURLINFO_REQUEST_SIZE, &size)
        return size > 0
    }

    /// What went wrong; empty when curl has nothing to say.
    var reason: String { unsafe String(cString: self.report) }

    /// Begins the call; false when an option was refused, or there is no memory.
    func enter(_ multi: borrowing MultiHandle) -> Bool {
        unsafe self.isComplete && curl_multi_add_handle(multi.multi, self.easy) == CURLM_OK
    }

    func leave(_ multi: borrowing MultiHandle) {
        _ = unsafe curl_multi_remove_handle(multi.multi, self.easy)
    }
}
