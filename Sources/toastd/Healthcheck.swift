import ArgumentParser
import MicroHTTP

/// `toastd healthcheck`: asks a running server whether it lives; for containers that have no curl.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Ask a running server whether it lives.")

    @Option(help: "Where the server listens, as HOST:PORT. (TOASTD_LISTEN, default 127.0.0.1:8080)")
    var listen: String?

    func run() async throws {
        let host = try Address.ofOwnServer(self.listen)
        guard SocketProbe.statusLine(of: "/livez", at: host)?.contains(" 200 ") == true else {
            throw ExitCode.failure
        }
    }
}
