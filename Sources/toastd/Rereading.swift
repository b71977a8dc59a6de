import Logging
import ToastAccess
import ToastHub
import ToastServer
import UnixSignals

/// Reads access, limits and texts again whenever the process is told to (SIGHUP).
///
/// Each for itself: what makes no sense stays as it was, says so in the log, and stands in nobody's way.
struct Rereading: Sendable {
    /// The access file; nil for none.
    let access: String?

    /// The directory of texts; nil for none.
    let catalogs: String?

    /// The limits that the server was started with.
    let limits: LimitSettings

    /// The settings as they are now.
    let settings: @Sendable () async throws -> ServerSettings

    let telemetry: Telemetry

    let logger: Logger

    /// How the process is told; made before anybody can know that it serves, because a signal that nobody waits for ends it.
    let signals: UnixSignalsSequence

    /// Reads again when it is told to, for as long as something else goes on.
    ///
    /// What is being read then is read to its end, so everything that takes it has to be there until this returns.
    func run(
        _ gatekeeper: Gatekeeper,
        _ fanouts: [Fanout],
        _ book: LimitBook,
        _ texts: Catalogs,
        during work: () async -> Void
    ) async {
        async let _ = self.heed(gatekeeper, fanouts, book, texts)
        await work()
    }

    private func heed(_ gatekeeper: Gatekeeper, _ fanouts: [Fanout], _ book: LimitBook, _ texts: Catalogs) async {
        for await _ in self.signals {
            await self.readAccess(into: gatekeeper, fanouts)
            await self.readLimits(into: book)
            self.readCatalogs(into: texts)
        }
    }

    private func readAccess(into gatekeeper: Gatekeeper, _ fanouts: [Fanout]) async {
        guard let path = self.access else { return }
        do throws(AccessError) {
            let mayGoOn = try await gatekeeper.adopt(try AccessFile(contentsOf: path))
            for fanout in fanouts { await fanout.endStreams(unless: mayGoOn) }
            self.telemetry.audit("access file read again", ["path": path])
        } catch {
            self.logger.error("the access file stays as it was", metadata: ["error": "\(error)"])
        }
    }

    private func readLimits(into book: LimitBook) async {
        do {
            let limits = try await self.settings().limits
            book.adopt(limits.service)
            self.telemetry.audit("limits read again", [:])
            let changed = limits.fixed.filter { $0.value != self.limits.fixed[$0.key] }.keys.sorted()
            guard !changed.isEmpty else { return }
            self.logger.warning(
                "some limits hold from the next start",
                metadata: ["settings": "\(changed.joined(separator: ","))"]
            )
        } catch {
            self.logger.error("the limits stay as they were", metadata: ["error": "\(error)"])
        }
    }

    private func readCatalogs(into texts: Catalogs) {
        guard let directory = self.catalogs else { return }
        do throws(CatalogFiles.Fault) {
            texts.replaceFiles(with: try CatalogFiles(directory: directory, limits: texts.limits).catalogs)
            self.telemetry.audit("catalogs read again", ["path": directory])
        } catch {
            self.logger.error("the catalogs stay as they were", metadata: ["error": "\(error)"])
        }
    }
}
