import HTTPClient
import Logging
import ToastAccess
import ToastHub
import ToastServer
import UnixSignals

/// Reloads access, limits, catalogs and default settings on SIGHUP, and the key set as often as the access file says.
///
/// Each source is reloaded independently. An invalid one keeps its old value and is logged; the others are still
/// reloaded.
struct ConfigReload: Sendable {
    /// The settings of the start: they name the files, and some of them only a restart changes.
    let settings: ServerSettings

    /// Reads the current settings.
    let reread: @Sendable () throws -> ServerSettings

    /// The access file and its key set; nil for none.
    let access: AccessSource?

    /// Tells which callers still have their permissions; the streams of the others are ended.
    let authenticator: Authenticator

    let fanouts: [Fanout]
    let appliedLimits: AppliedLimits
    let hub: Hub
    let telemetry: Telemetry
    let logger: Logger

    /// The SIGHUPs that the process gets.
    let signals: UnixSignalsSequence

    private enum Cause {
        case signal, keySetDue
    }

    /// Reloads when told to, while `work` runs.
    ///
    /// A reload that has begun is finished before this returns.
    func run(during work: () async -> Void) async {
        async let _ = self.reloadOnDemand()
        await work()
    }

    private func reloadOnDemand() async {
        let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
        async let _ = self.forwardSignals(to: continuation)
        var timer = await self.timer(continuation)
        defer { timer?.cancel() }
        for await cause in causes {
            timer?.cancel()
            if cause == .signal {
                // Only now, so that a fetch that began after the signal does not delay this reload either.
                self.access?.fetcher.client.resume()
                await self.readAccess()
                await self.readLimits()
                await self.readCatalogs()
                await self.readDefaults()
            }
            if await self.access?.fetchKeySet() == true { await self.authenticator.endStreams(of: self.fanouts) }
            timer = await self.timer(continuation)
        }
    }

    private func forwardSignals(to causes: AsyncStream<Cause>.Continuation) async {
        for await _ in self.signals {
            // A revoked key must not wait for a slow provider.
            self.access?.fetcher.client.interrupt()
            causes.yield(.signal)
        }
        causes.finish()
    }

    /// Yields a cause when the key set is due; nil when it is never fetched.
    private func timer(_ causes: AsyncStream<Cause>.Continuation) async -> Task<Void, Never>? {
        guard let pause = await self.access?.pause else { return nil }
        return Task {
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            causes.yield(.keySetDue)
        }
    }

    private func readAccess() async {
        guard let access else { return }
        await self.reload("access file read again", access.path, orSay: "the access file stays as it was") {
            try await access.readFile()
            await self.authenticator.endStreams(of: self.fanouts)
        }
    }

    private func readLimits() async {
        await self.reload("limits read again", nil, orSay: "the limits stay as they were") {
            let settings = try self.reread()
            self.appliedLimits.adopt(settings.serviceLimits)
            let former = self.settings.fixedSettings
            let changed = settings.fixedSettings.filter { $0.value != former[$0.key] }.keys.sorted()
            guard !changed.isEmpty else { return }
            self.logger.warning(
                "some settings hold from the next start",
                metadata: ["settings": "\(changed.joined(separator: ","))"]
            )
        }
    }

    private func readCatalogs() async {
        guard let directory = self.settings.catalogs else { return }
        let texts = self.hub.catalogs
        await self.reload("catalogs read again", directory, orSay: "the catalogs stay as they were") {
            await texts.replaceFiles(with: try CatalogFiles(directory: directory, limits: texts.limits).catalogs)
        }
    }

    private func readDefaults() async {
        guard let path = self.settings.settings else { return }
        await self.reload("default settings read again", path, orSay: "the default settings stay as they were") {
            await self.hub.defaults.replaceFile(with: try SettingsFile.read(path))
            await self.hub.applyDefaults()
        }
    }

    private func reload(
        _ done: String,
        _ path: String?,
        orSay failure: Logger.Message,
        _ read: () async throws -> Void
    ) async {
        do {
            try await read()
            self.telemetry.audit(done, ["path": path])
        } catch {
            self.logger.error(failure, metadata: ["error": "\(error)"])
        }
    }
}
