import Courier
import Foundation
import ToastAccess

/// Fetches a key set over HTTP, on a thread of its own, because libcurl's calls wait.
///
/// No redirect is followed, and there is a bound to how much comes and how long it takes.
struct KeySetFetcher: Sendable {
    private let caller: CurlCaller

    /// How long a fetch may take, in seconds.
    private static let patience = 10

    init() throws(LibcurlError) {
        guard let caller = CurlCaller() else { throw LibcurlError() }
        self.caller = caller
    }

    /// The bytes at a URL.
    ///
    /// - Throws: Why there are none.
    func fetch(_ url: String) async throws(AccessError) -> [UInt8] {
        guard !Task.isCancelled else { throw .unreadable(url, "stopped") }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread { continuation.resume(returning: self.ask(url)) }
                thread.name = "key-set"
                thread.start()
            }
        } onCancel: {
            self.caller.interrupt()
        }
        return try result.get()
    }

    /// Ends the fetch that is under way.
    func interrupt() {
        self.caller.interrupt()
    }

    private func ask(_ url: String) -> Result<[UInt8], AccessError> {
        self.caller.resume()
        var call = Call("GET", url, headers: [("Accept", "application/jwk-set+json, application/json")])
        call.patience = Self.patience
        // An http URL is one of this machine.
        call.isDirect = url.lowercased().hasPrefix("http://")
        let end = ContinuousClock.now + .seconds(Self.patience)
        var body: [UInt8] = []
        var isLate = false
        do throws(CallError) {
            let head = try self.caller.perform(call) { head, bytes in
                body += bytes
                isLate = ContinuousClock.now > end
                return !isLate && head.status == 200 && body.count <= KeySet.maximumBytes
            }
            guard head.status == 200 else { return .failure(.unreadable(url, "the answer has status \(head.status)")) }
            guard !isLate else { return .failure(.unreadable(url, "it took more than \(Self.patience) seconds")) }
            return .success(body)
        } catch {
            switch error {
            case .unreachable(let reason), .cut(let reason): return .failure(.unreadable(url, reason))
            case .interrupted: return .failure(.unreadable(url, "stopped"))
            }
        }
    }
}
