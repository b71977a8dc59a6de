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
    /// The access file and its key set; nil for none.
    let access: AccessSource?

    /// Tells which callers still have their permissions; the streams of the others are ended.
    let authenticator: Authenticator

    /// The directory of catalogs; nil for none.
    let catalogs: String?

    /// The file with the defaults for the settings of channels; nil for none.
    let defaults: String?

    /// The settings that only a restart changes, as they were at the start.
    let fixedSettings: [String: String]

    /// Reads the current settings.
    let settings: @Sendable () throws -> ServerSettings

    let telemetry: Telemetry

    let logger: Logger

    /// The SIGHUPs that the process gets.
    let signals: UnixSignalsSequence

    /// Why sources are reloaded.
    private enum Cause {
        case signal, keySetDue
    }

    /// Reloads when told to, while `work` runs.
    ///
    /// A reload that has begun is finished, so its receivers must live until this returns.
    func run(
        _ fanouts: [Fanout],
        _ appliedLimits: AppliedLimits,
        _ hub: Hub,
        during work: () async -> Void
    ) async {
        async let _ = self.reloadOnDemand(fanouts, appliedLimits, hub)
        await work()
    }

    private func reloadOnDemand(_ fanouts: [Fanout], _ appliedLimits: AppliedLimits, _ hub: Hub) async {
        let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
        async let _ = self.forwardSignals(to: continuation)
        var timer = await self.timer(continuation)
        defer { timer?.cancel() }
        for await cause in causes {
            timer?.cancel()
            if cause == .signal {
                // Only now, so that a fetch that began after the signal does not delay this reload either.
                self.access?.fetcher.client.resume()
                await self.readAccess(fanouts)
                await self.readLimits(into: appliedLimits)
                await self.readCatalogs(into: hub.catalogs)
                await self.readDefaults(into: hub)
            }
            if await self.access?.fetchKeySet() == true { await self.authenticator.endStreams(of: fanouts) }
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

    private func readAccess(_ fanouts: [Fanout]) async {
        guard let access else { return }
        await self.reload("access file read again", access.path, orSay: "the access file stays as it was") {
            try await access.readFile()
            await self.authenticator.endStreams(of: fanouts)
        }
    }

    private func readLimits(into appliedLimits: AppliedLimits) async {
        await self.reload("limits read again", nil, orSay: "the limits stay as they were") {
            let settings = try self.settings()
            appliedLimits.adopt(settings.serviceLimits)
            let changed = settings.fixedSettings.filter { $0.value != self.fixedSettings[$0.key] }.keys.sorted()
            guard !changed.isEmpty else { return }
            self.logger.warning(
                "some settings hold from the next start",
                metadata: ["settings": "\(changed.joined(separator: ","))"]
            )
        }
    }

    private func readCatalogs(into texts: Catalogs) async {
        guard let directory = self.catalogs else { return }
        await self.reload("catalogs read again", directory, orSay: "the catalogs stay as they were") {
            await texts.replaceFiles(with: try CatalogFiles(directory: directory, limits: texts.limits).catalogs)
        }
    }

    private func readDefaults(into hub: Hub) async {
        guard let path = self.defaults else { return }
        await self.reload("default settings read again", path, orSay: "the default settings stay as they were") {
            await hub.defaults.replaceFile(with: try SettingsFile.read(path))
            await hub.applyDefaults()
        }
    }

    /// Reloads one source, and logs the result.
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
