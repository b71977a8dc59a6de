/// Toasts that were published in one request.
public struct ToastBatch: Sendable, Hashable, Decodable {
    /// The toasts, in the order of the drafts; receipts for a client without the scope `subscribe`.
    public let toasts: [Toast]
    /// Members of the drafts that have no effect; the pointers begin with the number of the draft, from 0.
    public let warnings: [ToastWarning]?
}

/// Toasts that were changed in one request.
public struct UpdatedToasts: Sendable, Hashable, Decodable {
    /// How many toasts have the reuse identifier and were changed.
    public let updatedCount: Int
    /// The changed toasts, as many as fit into 256 KiB, but at least one; receipts without the scope `subscribe`.
    public let toasts: [Toast]
    /// Colours of the change that are hard to see.
    public let warnings: [ToastWarning]?
}
