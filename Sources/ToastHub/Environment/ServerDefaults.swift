import EventLoop
import Synchronization
package import ToastCore

/// The server's defaults for the settings of its channels, shared by all loops.
///
/// Two documents, of which the second overrides the first: a file that the server was started with, and the document
/// sent by the API. A change is stored before it is visible. ``Hub/applyDefaults()`` applies it to loaded channels;
/// other channels take it when they are loaded.
package final class ServerDefaults: Sendable {
    /// Why a change was not made.
    package enum ChangeError: Error, Equatable, Sendable {
        /// The current state does not meet the request's precondition.
        case changed

        /// The result would be invalid.
        case invalid(ValidationError)

        /// The store failed; nothing has changed, except perhaps after ``StoreError/undecided(_:)``.
        case store(StoreError)
    }

    /// The documents by their origin.
    package struct Documents: Hashable, Sendable {
        package var file = SettingsDefaults()
        package var sent = SettingsDefaults()

        /// The settings of a channel that sets nothing, over the defaults for all channels.
        package var settings: Settings { Settings(over: SettingsDefaults.members(of: [self.file, self.sent])) }
    }

    private struct State {
        var documents: Documents
        /// Settings of channels that set nothing, by the default members that apply to them; most channels share one.
        var bases: [JSONObject: Settings] = [:]
    }

    private let store: any DocumentStore
    private let state: Mutex<State>
    /// Serializes changes, so that the last change stored is the one that is visible.
    private let changing = TaskLock()

    /// Defaults with the document from a store.
    ///
    /// - Throws: The store's error; `corrupt` when its document is invalid.
    package convenience init(
        store: any DocumentStore,
        file: SettingsDefaults = SettingsDefaults()
    ) async throws(StoreError) {
        self.init(store: store, file: file, sent: try Self.sent(await store.document(.settings)))
    }

    private static func sent(_ document: [UInt8]?) throws(StoreError) -> SettingsDefaults {
        guard let document else { return SettingsDefaults() }
        guard let json = try? JSON(stored: document), let sent = try? SettingsDefaults(json: json) else {
            throw .corrupt("The stored default settings are not valid.")
        }
        return sent
    }

    /// Reads the sent document again, which another process has changed in the store.
    ///
    /// - Returns: Whether the document has changed.
    package func reload() async throws(StoreError) -> Bool {
        await self.changing.lock()
        defer { self.changing.unlock() }
        let sent = try Self.sent(await self.store.document(.settings))
        guard sent != self.documents.sent else { return false }
        self.adopt(Documents(file: self.documents.file, sent: sent))
        return true
    }

    /// Defaults whose sent document has been read from its store.
    package init(
        store: any DocumentStore,
        file: SettingsDefaults = SettingsDefaults(),
        sent: SettingsDefaults
    ) {
        self.store = store
        self.state = Mutex(State(documents: Documents(file: file, sent: sent)))
    }

    package var documents: Documents { self.state.withLock { $0.documents } }

    /// The settings of a channel that sets nothing, over the defaults for this channel.
    package func settings(of channel: ChannelName) -> Settings {
        self.state.withLock { state in
            guard !state.documents.file.isEmpty || !state.documents.sent.isEmpty else { return Settings() }
            let documents = [state.documents.file, state.documents.sent]
            let members = SettingsDefaults.members(of: documents, for: channel)
            if let base = state.bases[members] { return base }
            let base = Settings(over: members)
            state.bases[members] = base
            return base
        }
    }

    /// Changes the document sent by the API; returns when the change is stored.
    ///
    /// The change is made to what is stored, which another process may have changed a moment ago.
    ///
    /// - Parameters:
    ///   - patch: A JSON Merge Patch.
    ///   - isMeant: Whether the current state meets the request's precondition; no other change comes between. Called
    ///     again when another process changes the document meanwhile.
    /// - Returns: The new documents.
    /// - Throws: Why nothing was changed.
    package func change(
        _ patch: JSON,
        if isMeant: (Documents) -> Bool = { _ in true }
    ) async throws(ChangeError) -> Documents {
        await self.changing.lock()
        defer { self.changing.unlock() }
        for _ in 0..<DocumentName.mostAttempts {
            var documents = self.documents
            let stored = try await ChangeError.rethrowing(await self.store.document(.settings))
            documents.sent = try await ChangeError.rethrowing(Self.sent(stored))
            guard isMeant(documents) else { throw .changed }
            do throws(ValidationError) {
                documents.sent = try documents.sent.applying(patch)
            } catch {
                throw .invalid(error)
            }
            let new = documents.sent.encoded
            let isStored = try await ChangeError.rethrowing(
                await self.store.replaceDocument(.settings, expecting: stored, with: new)
            )
            guard isStored else { continue }
            self.adopt(documents)
            return documents
        }
        throw .store(.unavailable("Other nodes changed the default settings again and again."))
    }

    /// Replaces the document of the file; the sent document still overrides it.
    package func replaceFile(with file: SettingsDefaults) async {
        await self.changing.lock()
        defer { self.changing.unlock() }
        self.adopt(Documents(file: file, sent: self.documents.sent))
    }

    private func adopt(_ documents: Documents) {
        self.state.withLock { $0 = State(documents: documents) }
    }
}
