import ArgumentParser
import Foundation
import MicroHTTP

/// `toastd healthcheck`: asks a running server whether it lives; for containers that have no curl.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ask a running server whether it lives.")

    @Option(help: "Where the server listens, as HOST:PORT. (TOASTD_LISTEN, default 127.0.0.1:8080)")
    var listen: String?

    func run() async throws {
        let text = self.listen ?? ProcessInfo.processInfo.environment["TOASTD_LISTEN"] ?? "127.0.0.1:8080"
        guard let address = Address(text) else { throw SettingsError(key: "listen", expected: "HOST:PORT") }
        // A server that listens everywhere is asked at home.
        let isEverywhere = address.host == "0.0.0.0" || address.host == "::"
        let host = Address(host: isEverywhere ? "127.0.0.1" : address.host, port: address.port)
        guard SocketProbe.statusLine(of: "/livez", at: host)?.contains(" 200 ") == true else {
            throw ExitCode.failure
        }
    }
}
