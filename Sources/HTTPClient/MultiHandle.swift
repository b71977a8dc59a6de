import CCurl
import Glibc

/// The transfers of one thread as libcurl has them: owned, and freed with this object.
///
/// `@unchecked Sendable` is right because one thread uses it, except for ``wake()``, which libcurl allows on every
/// thread (curl_multi_wakeup(3)) while the handle exists, and it exists as long as this object.
@safe final class MultiHandle: @unchecked Sendable {
    let multi: UnsafeMutableRawPointer

    /// curl_global_init(3) has to run once, before anything else of libcurl.
    private static let isReady: Bool = {
        // A peer that is gone is an error of the call that notices it, never a signal to the process.
        _ = signal(SIGPIPE, SIG_IGN)
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// A handle that keeps at most `connections` open.
    init(connections: Int) throws(LibcurlError) {
        guard Self.isReady, let multi = unsafe curl_multi_init() else { throw LibcurlError() }
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

    /// Waits until there is something to do, until woken, or for `milliseconds`.
    func poll(milliseconds: CInt) {
        _ = unsafe curl_multi_poll(self.multi, nil, 0, milliseconds, nil)
    }

    /// Ends the current wait, or the next one.
    func wake() {
        _ = unsafe curl_multi_wakeup(self.multi)
    }

    /// A transfer that has ended, with libcurl's error if it failed; nil when there is no other.
    func nextEnded() -> (key: TransferKey, failure: String?)? {
        var rest: CInt = 0
        // All messages are of one kind, CURLMSG_DONE (curl_multi_info_read(3)).
        guard let message = unsafe curl_multi_info_read(self.multi, &rest),
            let easy = unsafe message.pointee.easy_handle
        else { return nil }
        let result = unsafe message.pointee.data.result
        let failure = result == CURLE_OK ? nil : unsafe String(cString: curl_easy_strerror(result))
        return (TransferKey(bitPattern: easy), failure)
    }
}

/// libcurl cannot begin, for lack of memory.
package struct LibcurlError: Error, CustomStringConvertible {
    package var description: String { "libcurl cannot begin: is there enough memory?" }
}
