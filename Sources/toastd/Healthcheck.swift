import ArgumentParser
import Courier
import MicroHTTP

/// `toastd healthcheck`: asks a running server whether it lives; for containers that have no curl.
struct Healthcheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask a running server whether it lives.",
        discussion: "Exit status: 0 it does, 1 it does not, and standard error says why; 64 the command makes no sense."
    )

    @Option(help: "Where the server listens, as HOST:PORT. (TOASTD_LISTEN, default 127.0.0.1:8080)")
    var listen: String?

    /// How long the server may take, in seconds.
    private static let patience = 5

    func run() async throws {
        guard let address = try? Address.ofOwnServer(self.listen) else {
            throw Terminal.fail("\(self.listen == nil ? "TOASTD_LISTEN" : "--listen"): expected HOST:PORT.")
        }
        if let reason = try Self.fault(of: address) { throw Terminal.fail([reason], .failure) }
    }

    /// Why a server is not alive, as far as anybody can tell; nil when it is.
    private static func fault(of address: Address) throws -> String? {
        guard let caller = CurlCaller() else { throw LibcurlError() }
        let url = "http://\(address)/livez"
        var call = Call("GET", url, patience: self.patience)
        call.isDirect = true
        do throws(CallError) {
            let status = try caller.perform(call) { _, _ in true }.status
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
