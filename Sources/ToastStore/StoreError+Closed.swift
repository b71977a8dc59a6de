import ToastCore

extension StoreError {
    /// What every call gets once the store was closed.
    static let closed = Self.unavailable("The store is closed.")
}
