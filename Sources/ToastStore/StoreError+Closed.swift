import ToastCore

extension StoreError {
    /// The error of every call after the store was closed.
    static let closed = Self.unavailable("The store is closed.")
}
