extension Deduplication {
    /// Why two toasts count as the same; the stronger reason is the greater.
    enum Likeness: Int {
        /// They have the same title and message.
        case text
        /// They have the same reuse identifier.
        case name
    }

    /// Why a new toast counts as the same as an old one; `nil` when it does not.
    ///
    /// Identity is not transitive: a toast without a reuse identifier can be the same as two that have different ones.
    /// So toasts are only compared in pairs, never hashed (Y-Snackbar bug 32 in `docs/engine.md`).
    func likeness(of new: ToastContent, to old: ToastContent) -> Likeness? {
        switch self {
        case .none:
            return nil
        case .identity:
            if let newName = new.box.reuseIdentifier, let oldName = old.box.reuseIdentifier {
                return newName.hasSameBytes(as: oldName) ? .name : nil
            }
            return new.hasSameText(as: old) ? .text : nil
        case .equal:
            guard new.role == old.role, new.duration == old.duration, new.hasSameText(as: old) else { return nil }
            return .text
        }
    }
}

extension ToastContent {
    /// Whether title and message are the same; the automatic titles of two roles differ.
    fileprivate func hasSameText(as other: ToastContent) -> Bool {
        self.message == other.message && self.title == other.title
            && (self.title != .automatic || self.role == other.role)
    }
}
