import ToastAccess
import ToastCore
import ToastHub

/// A toast in a response: as much of it as its reader may see.
///
/// A reader with the scope `subscribe` on the channel sees all of it. Others, such as pure publishers, see a toast that
/// their own request made, until it is changed. Of any other they get a receipt: its id and state, but no content.
enum ShownToast: JSONWritable {
    case whole(Toast)
    case receipt(Toast)

    /// The members of a receipt; a toast has some of them only from a state on.
    static let receiptMembers = [
        "id", "channel", "revision", "state", "createdAt", "presentedAt", "dismissedAt", "dismissReason", "action",
    ]

    /// As much of a toast as a principal may see; `isNew` says that the reader's own request made it.
    init(_ toast: Toast, to reader: Principal, isNew: Bool = false) {
        let isOwn = isNew && toast.revision == 1
        self = isOwn || reader.may(.subscribe, on: toast.channel) ? .whole(toast) : .receipt(toast)
    }

    /// The toast in the language of its reader; nil stands for the server's own.
    func translated(to language: LanguageTag?, by catalogs: Catalogs) -> Self {
        guard let language, case .whole(let toast) = self else { return self }
        return .whole(catalogs.lexicon.translated(toast, to: language))
    }

    func write(to writer: inout JSONWriter) {
        self.write(to: &writer) { _ in }
    }

    /// Writes the toast, and more members into the same object.
    func write(to writer: inout JSONWriter, with others: (inout JSONWriter) -> Void) {
        switch self {
        case .whole(let toast): toast.write(to: &writer, with: others)
        case .receipt(let toast):
            writer.object { writer in
                writer.member("id", toast.id)
                writer.member("channel", toast.channel)
                writer.member("revision", toast.revision)
                writer.member("state", toast.state)
                writer.member("createdAt", toast.createdAt)
                writer.member("presentedAt", toast.presentedAt)
                writer.member("dismissedAt", toast.dismissedAt)
                writer.member("dismissReason", toast.dismissReason)
                writer.member("action", toast.action)
                others(&writer)
            }
        }
    }
}

extension JSON {
    /// A stored answer about a toast, or about several, with receipts in place of the toasts.
    var withReceipts: JSON {
        guard let members = self.object else { return self }
        var kept: JSONObject = [:]
        for (name, value) in members {
            if name == "toasts" {
                kept[name] = .array((value.array ?? []).map(\.withReceipts))
            } else if name == "warnings" || ShownToast.receiptMembers.contains(name) {
                kept[name] = value
            }
        }
        return .object(kept)
    }
}
