import EventLoop
import Synchronization
package import ToastCore
package import ToastFormats

/// The hooks of all channels, shared by all loops.
///
/// They are one document of the store, apart from the settings and events of channels. A change is stored before it is
/// visible.
package final class Hooks: Sendable {
    /// Why a change was not made.
    package enum ChangeError: Error, Equatable, CustomStringConvertible, Sendable {
        /// The limit of hooks per channel, of all hooks, or of the size of their document is reached.
        case tooMany

        /// The store failed; nothing has changed, except perhaps after ``StoreError/undecided(_:)``.
        case store(StoreError)

        package var description: String {
            switch self {
            case .tooMany: "There are too many hooks."
            case .store(let error): error.description
            }
        }
    }

    /// The most hooks of a channel.
    package static let mostOfChannel = 16

    /// The most hooks of a server.
    package static let most = 1000

    /// The most bytes of the document with all of them.
    private static let mostBytes = 1_048_576

    private struct State {
        let hooks: [Hook]
        let byDigest: [String: Hook]
        /// Removed hooks that are to be put back, and are not in the store yet; each change stores them, too.
        var unrestored: [Hook]

        init(_ hooks: [Hook], unrestored: [Hook] = []) {
            self.unrestored = unrestored
            self.hooks = hooks
            self.byDigest = Dictionary(hooks.map { ($0.digest, $0) }) { $1 }
        }
    }

    private let store: any DocumentStore
    private let state: Mutex<State>
    /// Serializes changes, so that the last change stored is the one that is visible.
    private let changing = TaskLock()

    /// Has an element when hooks could not be put back, for one consumer that then calls ``retryRestoration()``.
    package let failedRestorations: AsyncStream<Void>
    private let failedRestoration: AsyncStream<Void>.Continuation

    /// Hooks that have been read from their store.
    package init(store: any DocumentStore, _ hooks: [Hook]) {
        self.store = store
        self.state = Mutex(State(hooks))
        (self.failedRestorations, self.failedRestoration) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
    }

    /// The hooks of a store.
    ///
    /// - Throws: The store's error; `corrupt` when its document is invalid.
    package convenience init(store: any DocumentStore) async throws(StoreError) {
        self.init(store: store, try Self.hooks(in: await store.document(.hooks)))
    }

    private static func hooks(in document: [UInt8]?) throws(StoreError) -> [Hook] {
        guard let document else { return [] }
        guard let values = (try? JSON(stored: document))?["hooks"]?.array else {
            throw .corrupt("The stored hooks are not valid.")
        }
        let hooks = values.compactMap { Hook(record: $0) }
        guard hooks.count == values.count else { throw .corrupt("A stored hook is not valid.") }
        return hooks
    }

    /// Reads the hooks again, which another process has changed in the store.
    package func reload() async throws(StoreError) {
        await self.changing.lock()
        defer { self.changing.unlock() }
        let hooks = try Self.hooks(in: await self.store.document(.hooks))
        self.state.withLock { $0 = State(hooks, unrestored: $0.unrestored) }
    }

    /// The hook of a secret; `nil` when there is none.
    package func hook(showing secret: String) -> Hook? {
        let digest = secret.sha256
        return self.state.withLock { $0.byDigest[digest] }
    }

    /// The hooks of a channel, sorted by name.
    package func hooks(of channel: ChannelName) -> [Hook] {
        self.state.withLock { $0.hooks.filter { $0.channel == channel } }
            .sorted { $0.name.rawValue < $1.name.rawValue }
    }

    package func hook(_ name: HookName, of channel: ChannelName) -> Hook? {
        self.state.withLock { $0.hooks.first { $0.channel == channel && $0.name == name } }
    }

    /// Sets the mapping of a hook, and creates the hook if it is new; returns when the change is stored.
    ///
    /// If `keepsSigningSecret` is true and the format stays the same, a known hook keeps the secret that its sender
    /// signs with. No response shows that secret, so clients cannot send it back.
    ///
    /// - Returns: The hook, and its secret when it is new.
    package func set(
        _ mapping: HookMapping,
        of name: HookName,
        in channel: ChannelName,
        keepsSigningSecret: Bool = false
    ) async throws(ChangeError) -> (hook: Hook, secret: String?) {
        try await self.change { hooks throws(ChangeError) -> (hook: Hook, secret: String?) in
            if let index = hooks.firstIndex(where: { $0.channel == channel && $0.name == name }) {
                let old = hooks[index].mapping
                hooks[index].mapping = mapping
                if keepsSigningSecret, mapping.format == old.format {
                    hooks[index].mapping.signingSecret = old.signingSecret
                }
                return (hooks[index], nil)
            }
            guard hooks.count < Self.most, hooks.count(where: { $0.channel == channel }) < Self.mostOfChannel else {
                throw .tooMany
            }
            let secret = Self.drawSecret()
            let hook = Hook(channel: channel, name: name, digest: secret.sha256, mapping: mapping)
            hooks.append(hook)
            return (hook, secret)
        }
    }

    /// Removes a hook, or all of a channel; returns those that were removed.
    @discardableResult
    package func remove(_ name: HookName? = nil, of channel: ChannelName) async throws(ChangeError) -> [Hook] {
        try await self.change { hooks throws(ChangeError) -> [Hook] in
            let removed = hooks.filter { $0.channel == channel && (name == nil || $0.name == name) }
            hooks.removeAll { removed.contains($0) }
            return removed
        }
    }

    /// Puts hooks back that were removed, with their secrets; a hook that was made meanwhile keeps its name.
    ///
    /// With those that were made meanwhile they may be more than ``mostOfChannel``: nothing else has their secrets.
    ///
    /// - Throws: Why they are not stored yet; they stay in memory for ``retryRestoration()`` and the next change.
    package func restore(_ removed: [Hook]) async throws(ChangeError) {
        self.state.withLock { $0.unrestored += removed }
        do throws(ChangeError) {
            try await self.retryRestoration()
        } catch {
            self.failedRestoration.yield()
            throw error
        }
    }

    /// Puts hooks back that ``restore(_:)`` could not store; does nothing when there are none.
    ///
    /// - Throws: Why they are not stored yet; call it again later.
    package func retryRestoration() async throws(ChangeError) {
        guard self.state.withLock({ !$0.unrestored.isEmpty }) else { return }
        try await self.change { _ in }
    }

    /// Changes the stored hooks; tries again when another process changes them meanwhile.
    private func change<Outcome: Sendable>(
        _ change: (inout [Hook]) throws(ChangeError) -> Outcome
    ) async throws(ChangeError) -> Outcome {
        await self.changing.lock()
        defer { self.changing.unlock() }
        for _ in 0..<DocumentName.mostAttempts {
            let document = try await ChangeError.rethrowing(await self.store.document(.hooks))
            let stored = try await ChangeError.rethrowing(Self.hooks(in: document))
            let unrestored = self.state.withLock { $0.unrestored }
            let old = stored.restoring(unrestored)
            var new = old
            let outcome = try change(&new)
            if new != stored {
                let bytes = JSONWriter.encodedObject { writer in
                    writer.array("hooks") { writer in for hook in new { hook.writeRecord(to: &writer) } }
                }
                guard bytes.count <= Self.mostBytes || new.count < old.count else { throw .tooMany }
                let isStored = try await ChangeError.rethrowing(
                    await self.store.replaceDocument(.hooks, expecting: document, with: bytes)
                )
                guard isStored else { continue }
            }
            self.state.withLock { state in
                state = State(new, unrestored: state.unrestored.filter { !unrestored.contains($0) })
            }
            return outcome
        }
        throw .store(.unavailable("Other nodes changed the hooks again and again."))
    }

    /// Draws a secret: 32 letters and digits, which are 165 random bits.
    ///
    /// So many bits cannot be guessed, so a fast hash is enough. Apprise accepts only this length and these characters
    /// as a token of Mattermost.
    private static func drawSecret() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<32).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }
}

extension [Hook] {
    /// These hooks, and removed ones whose names are free.
    fileprivate func restoring(_ removed: [Hook]) -> [Hook] {
        self + removed.filter { old in !self.contains { $0.channel == old.channel && $0.name == old.name } }
    }
}
