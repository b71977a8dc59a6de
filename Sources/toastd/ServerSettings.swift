import Configuration
import MicroHTTP
import SystemPackage
import ToastCore
import ToastStore

/// How a server runs: from the command line, else the environment, else a file, else the default.
///
/// | flag | environment | file | default |
/// |---|---|---|---|
/// | `--listen HOST:PORT` | `TOASTD_LISTEN` | `listen` | `127.0.0.1:8080`; port 0 picks one |
/// | `--store STORE` | `TOASTD_STORE` | `store` | `sqlite:data/toastd.db`; or `memory` |
/// | `--loops N` | `TOASTD_LOOPS` | `loops` | as many as there are cores |
/// | `--public DIR` | `TOASTD_PUBLIC` | `public` | `public` |
/// | `--access FILE` | `TOASTD_ACCESS` | `access` | none: see ``AccessRules`` |
/// | `--allow-anonymous SCOPES` | `TOASTD_ALLOW_ANONYMOUS` | `allowAnonymous` | see ``AccessRules`` |
/// | `--trusted-proxies BLOCKS` | `TOASTD_TRUSTED_PROXIES` | `trustedProxies` | none |
/// | `--log-level LEVEL` | `TOASTD_LOG_LEVEL` | `logLevel` | `info` |
/// | `--config FILE` | `TOASTD_CONFIG` | | none |
struct ServerSettings: Sendable {
    enum Store: Equatable, Sendable {
        case memory
        case sqlite(path: String)

        init?(_ text: String) {
            if text == "memory" {
                self = .memory
            } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
                self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
            } else {
                return nil
            }
        }
    }

    let address: Address
    let store: Store
    let loops: Int
    let publicDirectory: String
    let logLevel: String
    let access: AccessRules

    /// The most loops that make sense to ask for.
    private static let loopRange = 1...256

    init(_ flags: [AbsoluteConfigKey: ConfigValue], cores: Int) async throws {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "toastd")
        let own = ConfigReader(providers: [InMemoryProvider(values: flags), environment])
        var providers: [any ConfigProvider] = [InMemoryProvider(values: flags), environment]
        if let file = own.string(forKey: "config") {
            providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
        }
        let config = ConfigReader(providers: providers)

        self.address = try Self.read(config, "listen", "127.0.0.1:8080", "HOST:PORT") { Address($0) }
        self.store = try Self.read(config, "store", "sqlite:data/toastd.db", "memory or sqlite:PATH") { Store($0) }
        self.loops = try Self.read(config, "loops", String(cores), "a number from 1 to 256") { text in
            Int(text).flatMap { Self.loopRange.contains($0) ? $0 : nil }
        }
        self.publicDirectory = config.string(forKey: "public", default: "public")
        self.logLevel = config.string(forKey: "logLevel", default: "info")
        self.access = try AccessRules(config, listeningOn: self.address)
    }

    private static func read<Value>(
        _ config: ConfigReader,
        _ key: ConfigKey,
        _ standard: String,
        _ expected: String,
        _ parse: (String) -> Value?
    ) throws(SettingsError) -> Value {
        // A file may hold a number as a number.
        let number = key == "loops" ? config.int(forKey: key).map(String.init) : nil
        let text = number ?? config.string(forKey: key, default: standard)
        guard let value = parse(text) else { throw SettingsError(key: key.description, expected: expected) }
        return value
    }
}

/// A setting that makes no sense.
struct SettingsError: Error, CustomStringConvertible {
    let key: String
    let expected: String

    var description: String { "\(self.key): expected \(self.expected)" }
}
