import Logging
import ToastAccess
import ToastHub
import ToastServer
import UnixSignals

/// Reads access, limits, texts and default settings again on SIGHUP, and a key set as often as its file says.
///
/// Each for itself: what makes no sense stays as it was, says so in the log, and stands in nobody's way.
struct ConfigReload: Sendable {
    /// The access file and its key set; nil for none.
    let access: AccessSource?

    /// The directory of texts; nil for none.
    let catalogs: String?

    /// The file with the defaults for the settings of channels; nil for none.
    let defaults: String?

    /// The limits that hold from the start until the next one, as the server was started with them.
    let fixedLimits: [String: String]

    /// The settings as they are now.
    let settings: @Sendable () async throws -> ServerSettings

    let telemetry: Telemetry

    let logger: Logger

    /// How the process is told.
    let signals: UnixSignalsSequence

    /// Why something is read again.
    private enum Cause {
        case signal, keySetDue
    }

    /// Reads again when it is told to, for as long as something else goes on.
    ///
    /// What is being read then is read to its end, so everything that takes it has to be there until this returns.
    func run(
        _ fanouts: [Fanout],
        _ book: LimitRegistry,
        _ hub: Hub,
        during work: () async -> Void
    ) async {
        async let _ = self.heed(fanouts, book, hub)
        await work()
    }

    private func heed(_ fanouts: [Fanout], _ book: LimitRegistry, _ hub: Hub) async {
        let (causes, continuation) = AsyncStream.makeStream(of: Cause.self)
        async let _ = self.forwardSignals(to: continuation)
        var timer = await self.timer(continuation)
        defer { timer?.cancel() }
        for await cause in causes {
            timer?.cancel()
            if cause == .signal {
                await self.readAccess(fanouts)
                await self.readLimits(into: book)
                await self.readCatalogs(into: hub.catalogs)
                await self.readDefaults(into: hub)
            }
            if let mayGoOn = await self.access?.fetchKeySet() { await self.endStreams(fanouts, unless: mayGoOn) }
            timer = await self.timer(continuation)
        }
    }

    private func forwardSignals(to causes: AsyncStream<Cause>.Continuation) async {
        for await _ in self.signals {
            // A key that was revoked must not wait for a slow provider.
            self.access?.interrupt()
            causes.yield(.signal)
        }
        causes.finish()
    }

    /// Tells when the key set is due; nil when it never is.
    private func timer(_ causes: AsyncStream<Cause>.Continuation) async -> Task<Void, Never>? {
        guard let pause = await self.access?.pause else { return nil }
        return Task {
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            causes.yield(.keySetDue)
        }
    }

    private func endStreams(_ fanouts: [Fanout], unless mayGoOn: @escaping AccessSource.Judgement) async {
        for fanout in fanouts { await fanout.endStreams(unless: mayGoOn) }
    }

    private func readAccess(_ fanouts: [Fanout]) async {
        guard let access else { return }
        do throws(AccessError) {
            let mayGoOn = try await access.readFile()
            await self.endStreams(fanouts, unless: mayGoOn)
            self.telemetry.audit("access file read again", ["path": access.path])
        } catch {
            self.logger.error("the access file stays as it was", metadata: ["error": "\(error)"])
        }
    }

    private func readLimits(into book: LimitRegistry) async {
        do {
            let settings = try await self.settings()
            book.adopt(settings.serviceLimits)
            self.telemetry.audit("limits read again", [:])
            let changed = settings.fixedLimits.filter { $0.value != self.fixedLimits[$0.key] }.keys.sorted()
            guard !changed.isEmpty else { return }
            self.logger.warning(
                "some limits hold from the next start",
                metadata: ["settings": "\(changed.joined(separator: ","))"]
            )
        } catch {
            self.logger.error("the limits stay as they were", metadata: ["error": "\(error)"])
        }
    }

    private func readCatalogs(into texts: Catalogs) async {
        guard let directory = self.catalogs else { return }
        do throws(CatalogFiles.Fault) {
            await texts.replaceFiles(with: try CatalogFiles(directory: directory, limits: texts.limits).catalogs)
            self.telemetry.audit("catalogs read again", ["path": directory])
        } catch {
            self.logger.error("the catalogs stay as they were", metadata: ["error": "\(error)"])
        }
    }

    private func readDefaults(into hub: Hub) async {
        guard let path = self.defaults else { return }
        do throws(SettingsFile.Fault) {
            await hub.defaults.replaceFile(with: try SettingsFile.read(path))
            hub.heedDefaults()
            self.telemetry.audit("default settings read again", ["path": path])
        } catch {
            self.logger.error("the default settings stay as they were", metadata: ["error": "\(error)"])
        }
    }
}
