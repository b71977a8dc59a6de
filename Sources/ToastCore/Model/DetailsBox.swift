/// Details in a box on the heap; nothing for toasts without details.
@dynamicMemberLookup
enum DetailsBox: Equatable, Sendable {
    case empty
    indirect case full(ToastDetails)

    init(_ details: ToastDetails) {
        self = details == ToastDetails() ? .empty : .full(details)
    }

    var isEmpty: Bool { if case .empty = self { true } else { false } }

    var details: ToastDetails {
        switch self {
        case .empty: ToastDetails()
        case .full(let details): details
        }
    }

    /// A member; `nil` where there are no details.
    ///
    /// Only that member is copied.
    @inline(__always)
    subscript<Member>(dynamicMember member: KeyPath<ToastDetails, Member?>) -> Member? {
        guard case .full(let details) = self else { return nil }
        return details[keyPath: member]
    }

    var actions: [ToastAction] { if case .full(let details) = self { details.actions } else { [] } }

    var requiresInteraction: Bool { if case .full(let details) = self { details.requiresInteraction } else { false } }

    var isPending: Bool { self.actions.contains(where: \.isPending) }

    var hasLocalizedAction: Bool { self.actions.contains(where: \.title.isLocalized) }
}
