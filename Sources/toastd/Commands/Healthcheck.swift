import ArgumentParser
import HTTPClient
import MicroHTTP

/// `toastd healthcheck`: checks that a server is alive; for containers without curl.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check that a running server is alive.",
        discussion: "Exit status: 0 alive, 1 not alive (the reason is on standard error), 64 invalid arguments."
    )

    @Option(help: "Where the server listens, as HOST:PORT. (\(GeneralSettings.origin(of: \.listen)))")
    var listen: String?

    /// The longest wait for the server, in seconds.
    private static let patience = 5

    func run() async throws {
        guard let address = Address(ofServerListeningAt: self.listen ?? GeneralSettings.text(of: \.listen)) else {
            throw Terminal.fail("\(self.listen == nil ? "TOASTD_LISTEN" : "--listen"): expected HOST:PORT.")
        }
        if let reason = try Self.fault(of: address) { throw Terminal.fail([reason], .failure) }
    }

    /// Why the server does not seem alive; nil when it is.
    private static func fault(of address: Address) throws -> String? {
        guard let caller = BlockingClient() else { throw LibcurlError() }
        let url = "http://\(address)/livez"
        let request = OutgoingRequest("GET", url: url, headers: [])
        do throws(RequestError) {
            let response = try caller.perform(request, idleTimeout: self.patience, bypassesProxy: true) { _, _ in true }
            let status = response.status
            return status == 200 ? nil : "\(url) answered with status \(status)."
        } catch {
            switch error {
            case .unreachable(let reason): return "Nobody can be reached at \(address): \(reason)"
            case .cut(let reason): return "\(url) gave no answer: \(reason)"
            case .interrupted: return "interrupted"
            }
        }
    }
}
