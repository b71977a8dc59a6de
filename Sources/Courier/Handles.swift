import CCurl

/// Names a transfer of a ``MultiHandle`` while it is under way.
typealias TransferKey = Int

/// One transfer of curl's: owned, and gone with this value.
@safe struct EasyHandle: ~Copyable {
    private let easy: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    /// Whether curl took every option.
    private let isComplete: Bool

    /// How long a transfer may take, in milliseconds: to connect, and all in all.
    private static let (connectTimeout, timeout) = (5000, 15_000)

    /// A handle for a transfer, which must outlive it; nil when there is no memory.
    init?(for transfer: Transfer) {
        guard let easy = unsafe curl_easy_init() else { return nil }
        var headers: UnsafeMutablePointer<curl_slist>?
        for field in transfer.letter.headers {
            unsafe headers = curl_slist_append(headers, "\(field.name): \(field.value)")
        }
        unsafe self.easy = easy
        unsafe self.headers = headers
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        let body = transfer.letter.body
        let results = unsafe [
            ccurl_set_string(easy, CURLOPT_URL, transfer.letter.url),
            // curl's own check, before anything of the URL is used.
            ccurl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            ccurl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0),
            // No proxy, whatever the environment says: it would look names up, and connect, in our place.
            ccurl_set_string(easy, CURLOPT_PROXY, ""),
            ccurl_set_string(easy, CURLOPT_NOPROXY, "*"),
            ccurl_set_open_socket(easy, onOpenSocket),
            ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, context),
            ccurl_set_write(easy, CURLOPT_WRITEFUNCTION, onAnswer),
            ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context),
            ccurl_set_write(easy, CURLOPT_HEADERFUNCTION, onAnswer),
            ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context),
            ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1),
            ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.connectTimeout),
            ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, Self.timeout),
            ccurl_set_long(easy, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1),
            ccurl_set_list(easy, CURLOPT_HTTPHEADER, headers),
            ccurl_set_long(easy, CURLOPT_POST, 1),
            // The size first: COPYPOSTFIELDS copies so many bytes.
            ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)),
            body.withUnsafeBytes { unsafe ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) },
        ]
        self.isComplete = results.allSatisfy { $0 == CURLE_OK }
    }

    deinit {
        unsafe curl_easy_cleanup(self.easy)
        unsafe curl_slist_free_all(self.headers)
    }

    var key: TransferKey { unsafe TransferKey(bitPattern: self.easy) }

    /// The status of the answer; zero when none came.
    var status: Int {
        var status = 0
        _ = unsafe ccurl_get_long(self.easy, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// What the answer said in `Retry-After`, in seconds from now.
    var retryAfter: Int? {
        var seconds: curl_off_t = 0
        let result = unsafe ccurl_get_offset(self.easy, CURLINFO_RETRY_AFTER, &seconds)
        return result == CURLE_OK && seconds > 0 ? Int(seconds) : nil
    }

    /// Begins the transfer; false when an option was refused, or there is no memory.
    func enter(_ multi: borrowing MultiHandle) -> Bool {
        unsafe self.isComplete && curl_multi_add_handle(multi.multi, self.easy) == CURLM_OK
    }

    func leave(_ multi: borrowing MultiHandle) {
        _ = unsafe curl_multi_remove_handle(multi.multi, self.easy)
    }
}

/// Curl's transfers of one thread: owned, and gone with this object.
///
/// `@unchecked Sendable` is right because one thread uses it, but for ``wake()``, which curl allows from every thread
/// (curl_multi_wakeup(3)) as long as the handle is there, and it is as long as this object.
@safe final class MultiHandle: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer

    /// curl_global_init(3) has to run once, before anything else of curl's.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// A handle that keeps so many connections open; nil when curl cannot begin.
    init?(connections: Int) {
        guard Self.isReady, let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = multi
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, connections)
    }

    deinit {
        _ = unsafe curl_multi_cleanup(self.multi)
    }

    /// Does what can be done without waiting.
    func perform() {
        var running: CInt = 0
        _ = unsafe curl_multi_perform(self.multi, &running)
    }

    /// Waits until there is something to do, until woken, or for so many milliseconds.
    func poll(milliseconds: CInt) {
        _ = unsafe curl_multi_poll(self.multi, nil, 0, milliseconds, nil)
    }

    /// Ends a wait that runs, or the next one.
    func wake() {
        _ = unsafe curl_multi_wakeup(self.multi)
    }

    /// A transfer that has ended, and what curl says of it; nil when there is no other.
    func nextEnded() -> (key: TransferKey, failure: String?)? {
        var rest: CInt = 0
        while let message = unsafe curl_multi_info_read(self.multi, &rest) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            let result = unsafe message.pointee.data.result
            let failure = result == CURLE_OK ? nil : unsafe String(cString: curl_easy_strerror(result))
            return (TransferKey(bitPattern: easy), failure)
        }
        return nil
    }
}
