import Foundation
import HTTPClient
import ToastAccess

/// Fetches a key set over HTTP on its own thread, because libcurl's calls block.
///
/// Follows no redirect, and bounds the size and the time.
struct KeySetFetcher: Sendable {
    /// Interrupt it to end a running fetch, and each that begins before it is resumed.
    let client: BlockingClient

    /// The longest time of a fetch, in seconds.
    private static let patience = 10

    func fetch(_ url: String) async throws(AccessError) -> [UInt8] {
        guard !Task.isCancelled else { throw .unreadable(url, "stopped") }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let thread = Thread { continuation.resume(returning: self.ask(url)) }
                thread.name = "key-set"
                thread.start()
            }
        } onCancel: {
            self.client.interrupt()
        }
        return try result.get()
    }

    private func ask(_ url: String) -> Result<[UInt8], AccessError> {
        let request = OutgoingRequest(
            "GET",
            url: url,
            headers: [("Accept", "application/jwk-set+json, application/json")]
        )
        // The access file accepts http URLs of this machine only.
        let isLocal = url.lowercased().hasPrefix("http://")
        let end = ContinuousClock.now + .seconds(Self.patience)
        var body: [UInt8] = []
        var isLate = false
        do throws(RequestError) {
            let head = try self.client.perform(request, idleTimeout: Self.patience, bypassesProxy: isLocal) {
                head,
                bytes in
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
