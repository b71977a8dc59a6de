import EventLoop
import ToastCore

@testable import ToastHub

// Short forms of requests, and access to a channel in memory; only for tests.

extension Hub {
    /// Runs a closure with a channel in memory.
    func perform<Result: Sendable>(
        on name: ChannelName,
        _ body: @Sendable (Channel) async throws(ChannelError) -> Result
    ) async throws(ChannelError) -> Result {
        try await body(try await self.registry(of: name).channel(name))
    }
}

extension Registry {
    /// The channel with a name; it is created if it is not in memory.
    func channel(_ name: ChannelName) throws(ChannelError) -> Channel { try self.entry(name).channel }
}

extension Channel {
    func publish(_ drafts: [ToastDraft], as key: IdempotentRequest? = nil) async throws(ChannelError) -> ChannelAnswer {
        try await self.perform(.publish(PublishRequest(drafts, key: key)))
    }

    func clear() async throws(ChannelError) -> Int {
        guard case .count(let count) = try await self.perform(.clear()) else { preconditionFailure("no count") }
        return count
    }

    func summary() async throws(ChannelError) -> ChannelSummary {
        guard case .summary(let summary) = try await self.perform(.read(.summary)) else {
            preconditionFailure("no summary")
        }
        return summary
    }

    func toasts(in state: ToastState?) async throws(ChannelError) -> Listing {
        guard case .listing(let listing) = try await self.perform(.read(.toasts(state))) else {
            preconditionFailure("no listing")
        }
        return listing
    }

    func toast(_ id: ToastID) async throws(ChannelError) -> Toast? {
        guard case .found(let toast) = try await self.perform(.read(.toast(id))) else { return nil }
        return toast
    }

    /// Changes settings or webhooks; without a change, reads them.
    func configure(
        _ change: SettingsChange.Operation = .merge([:]),
        webhooks: WebhookList? = nil
    ) async throws(ChannelError) -> Configuration {
        let precondition = Precondition(ifMatch: nil, ifNoneMatch: [])
        let change = SettingsChange(change, webhooks: webhooks, issues: [], if: precondition)
        guard case .configuration(let configuration) = try await self.perform(.configure(change)) else {
            preconditionFailure("no configuration")
        }
        return configuration
    }
}
