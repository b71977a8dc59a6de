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

    /// The longest wait for the server, in seconds: less than the image's health check may take, so that the reason is
    /// told.
    private static let patience = 2

    func run() async throws {
        guard let address = Address(ofServerListeningAt: self.listen ?? GeneralSettings.text(of: \.listen)) else {
            throw Terminal.fail("\(self.listen == nil ? "TOASTD_LISTEN" : "--listen"): expected HOST:PORT.")
        }
        let caller = try BlockingClient()
        let url = "http://\(address)/livez"
        let request = OutgoingRequest("GET", url: url, headers: [])
        let reason: String
        do throws(RequestError) {
            let response = try caller.perform(request, idleTimeout: Self.patience, bypassesProxy: true) { _, _ in true }
            guard response.status != 200 else { return }
            reason = "\(url) answered with status \(response.status)."
        } catch {
            switch error {
            case .unreachable(let detail): reason = "No server can be reached at \(address): \(detail)"
            case .cut(let detail): reason = "\(url) gave no answer: \(detail)"
            case .interrupted: reason = "interrupted"
            }
        }
        throw Terminal.fail([reason], .failure)
    }
}
