import ArgumentParser
import Foundation
import HTTPClient
import MicroHTTP
import ToastClient

/// The options of all commands that send requests to a server.
struct ClientOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The server, as http://HOST:PORT or https://HOST. (TOASTD_SERVER, default where TOASTD_LISTEN says)",
            valueName: "url"
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp(
            "A file with the API key or token to send. (default the value of TOASTD_TOKEN)",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(name: .shortAndLong, help: "What to print: text or json.")
    var output = OutputFormat.text

    /// A client of the server that the options name.
    func client(_ caller: BlockingClient) throws -> Client {
        Client(try self.url, token: try self.token, caller: caller)
    }

    private var url: ServerURL {
        get throws {
            let environment = ProcessInfo.processInfo.environment
            if let text = self.server ?? environment["TOASTD_SERVER"] {
                guard let url = ServerURL(text) else {
                    let name = self.server == nil ? "TOASTD_SERVER" : "--server"
                    throw Terminal.fail(
                        "\(name): expected http://HOST:PORT or https://HOST, without name and password."
                    )
                }
                return url
            }
            guard let address = Address(ofServerListeningAt: GeneralSettings.text(of: \.listen)),
                let url = ServerURL("http://\(address)")
            else {
                throw Terminal.fail("TOASTD_LISTEN: expected HOST:PORT.")
            }
            return url
        }
    }

    /// The API key or token to send; nil for none.
    private var token: String? {
        get throws {
            let text: String
            if let tokenFile {
                guard let data = FileManager.default.contents(atPath: tokenFile) else {
                    throw Terminal.fail("--token-file: \(tokenFile) cannot be read.")
                }
                text = String(decoding: data, as: UTF8.self)
                guard text.contains(where: { !$0.isWhitespace }) else {
                    throw Terminal.fail("--token-file: \(tokenFile) is empty.")
                }
            } else {
                text = ProcessInfo.processInfo.environment["TOASTD_TOKEN"] ?? ""
            }
            let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                let name = self.tokenFile.map { "--token-file: \($0)" } ?? "TOASTD_TOKEN:"
                throw Terminal.fail("\(name) holds something else than one key or token.")
            }
            return token.isEmpty ? nil : token
        }
    }
}

enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

extension Address {
    /// The address to reach a server on this machine that listens at `text`; nil when that is no address.
    init?(ofServerListeningAt text: String) {
        guard let address = Address(text) else { return nil }
        // A server that listens at the wildcard address answers at loopback.
        let isEverywhere = address.host == "0.0.0.0" || address.host == "::"
        self.init(host: isEverywhere ? "127.0.0.1" : address.host, port: address.port)
    }
}
