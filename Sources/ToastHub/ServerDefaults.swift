import Synchronization
public import ToastCore

/// The defaults of a running server for the settings of its channels, shared by all loops.
///
/// Two documents, of which the later one wins: a file that the server was started with, and what was sent to it. A change is
/// stored first and seen afterwards; loaded channels are told by ``Hub/heedDefaults()``, others when they are read.
public final class ServerDefaults: Sendable {
    /// Why a change was not made.
    public enum ChangeError: Error, Equatable, Sendable {
        /// What is there is not what the change was made for.
        case changed

        /// The result would make no sense.
        case invalid(ValidationError)

        /// Nothing could be stored; nothing has changed.
        case unavailable(StoreError)
    }

    /// What is said, and by whom.
    public struct Documents: Hashable, Sendable {
        /// What a file says.
        public var file = SettingsDefaults()

        /// What was sent.
        public var sent = SettingsDefaults()

        /// Nothing set, over what they say for all channels.
        public var settings: Settings { Settings(over: SettingsDefaults.members(of: [self.file, self.sent])) }
    }

    private struct State {
        var documents: Documents
        /// What holds for channels that set nothing, by what the defaults say for them: most share it.
        var bases: [JSONObject: Settings] = [:]
    }

    private let store: (any DocumentStore)?
    private let state: Mutex<State>
    /// One change at a time, so that the last one that was stored is the one that is seen.
    private let changing = TaskLock()

    /// Defaults that are kept nowhere.
    public convenience init(file: SettingsDefaults = SettingsDefaults()) {
        self.init(store: nil, Documents(file: file))
    }

    /// Defaults with those that a store kept.
    ///
    /// - Parameters:
    ///   - store: Where they are kept.
    ///   - file: What a file says.
    /// - Throws: What the store says; `corrupt` when its document is none.
    public convenience init(
        store: any DocumentStore,
        file: SettingsDefaults = SettingsDefaults()
    ) async throws(StoreError) {
        var sent = SettingsDefaults()
        if let document = try await store.document(.settings) {
            guard let json = try? JSON(parsing: document), let kept = try? SettingsDefaults(json: json) else {
                throw .corrupt("The default settings make no sense.")
            }
            sent = kept
        }
        self.init(store: store, Documents(file: file, sent: sent))
    }

    private init(store: (any DocumentStore)?, _ documents: Documents) {
        self.store = store
        self.state = Mutex(State(documents: documents))
    }

    /// What is said at this moment.
    public var documents: Documents { self.state.withLock { $0.documents } }

    /// Nothing set, over what is said for a channel.
    public func settings(of channel: ChannelName) -> Settings {
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

    /// Changes what was sent; returns when it is stored.
    ///
    /// - Parameters:
    ///   - patch: A JSON Merge Patch.
    ///   - isMeant: Whether the change is meant for what is there; nothing comes in between.
    /// - Returns: What is said now.
    /// - Throws: Why nothing was changed.
    public func change(
        _ patch: JSON,
        if isMeant: (Documents) -> Bool = { _ in true }
    ) async throws(ChangeError) -> Documents {
        await self.changing.lock()
        defer { self.changing.unlock() }
        var documents = self.documents
        guard isMeant(documents) else { throw .changed }
        do throws(ValidationError) {
            documents.sent = try documents.sent.applying(patch)
        } catch {
            throw .invalid(error)
        }
        var writer = JSONWriter()
        writer.value(documents.sent)
        let document = writer.bytes
        do throws(StoreError) {
            try await self.store?.replaceDocument(.settings, with: document)
        } catch {
            throw .unavailable(error)
        }
        self.adopt(documents)
        return documents
    }

    /// Replaces what a file says; what was sent still wins over it.
    public func replaceFile(with file: SettingsDefaults) async {
        await self.changing.lock()
        defer { self.changing.unlock() }
        var documents = self.documents
        documents.file = file
        self.adopt(documents)
    }

    private func adopt(_ documents: Documents) {
        self.state.withLock { state in
            state.documents = documents
            state.bases = [:]
        }
    }
}
