/// How an append to a channel ended.
public enum AppendOutcome: Hashable, Sendable {
    /// The change is stored, and later reads see it.
    case stored

    /// The change is not stored; after ``StoreError/undecided(_:)`` it may be.
    case failed(StoreError)

    /// Why the change is not known to be stored; `nil` when it is.
    public var error: StoreError? {
        if case .failed(let error) = self { error } else { nil }
    }
}
