import ToastCore

/// An error type that can carry an error of the store.
protocol StoringError: Error {
    static func store(_ error: StoreError) -> Self
}

extension StoringError {
    /// What the store answers; throws its error as one of this type.
    static func rethrowing<Value>(
        _ answer: @autoclosure () async throws(StoreError) -> Value
    ) async throws(Self) -> Value {
        do throws(StoreError) { return try await answer() } catch { throw .store(error) }
    }
}

extension ChannelError: StoringError {}
extension Catalogs.ChangeError: StoringError {}
extension Hooks.ChangeError: StoringError {}
extension ServerDefaults.ChangeError: StoringError {}
