import ToastCore
import ToastHub

// An error is a member `error` with its name, and members for what it carries; `reason` is the error inside it.

extension ChannelError {
    private enum Name: String {
        case refused, settingsChanged, invalidSettings, unavailable, keyReused, tooManyChannels, outOfMemory
        case tooManyKeys, keyInUse
    }

    func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .refused(let reason):
            Self.write(.refused, to: &writer)
            writer.object("reason") { writer in reason.writeMembers(to: &writer) }
        case .settingsChanged: Self.write(.settingsChanged, to: &writer)
        case .invalidSettings(let reason):
            Self.write(.invalidSettings, to: &writer)
            reason.writeMembers(to: &writer)
        case .unavailable(let reason):
            Self.write(.unavailable, to: &writer)
            writer.object("reason") { writer in reason.writeMembers(to: &writer) }
        case .keyReused: Self.write(.keyReused, to: &writer)
        case .tooManyChannels: Self.write(.tooManyChannels, to: &writer)
        case .outOfMemory: Self.write(.outOfMemory, to: &writer)
        case .tooManyKeys: Self.write(.tooManyKeys, to: &writer)
        case .keyInUse: Self.write(.keyInUse, to: &writer)
        }
    }

    private static func write(_ name: Name, to writer: inout JSONWriter) { writer.member("error", name.rawValue) }

    init(_ reader: MessageReader) throws(MessageError) {
        self =
            switch try reader.choice("error", Name.self) {
            case .refused: .refused(try EngineError(reader.reader("reason")))
            case .settingsChanged: .settingsChanged
            case .invalidSettings: .invalidSettings(try ValidationError(reader))
            case .unavailable: .unavailable(try StoreError(reader.reader("reason")))
            case .keyReused: .keyReused
            case .tooManyChannels: .tooManyChannels
            case .outOfMemory: .outOfMemory
            case .tooManyKeys: .tooManyKeys
            case .keyInUse: .keyInUse
            }
    }
}

extension EngineError {
    private enum Name: String {
        case queueFull, toastAlreadyPresented, toastNotFound, actionNotFound, toastDismissed, toastNotPresented
        case revisionMismatch, invalid
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .queueFull(let capacity):
            Self.write(.queueFull, to: &writer)
            writer.member("capacity", capacity)
        case .batchTooLong(let capacity):
            // Nodes of version 0.2.0 know only the first.
            Self.write(.queueFull, to: &writer)
            writer.member("capacity", capacity)
            writer.flag("isBatchTooLong", true)
        case .toastAlreadyPresented(let id):
            Self.write(.toastAlreadyPresented, to: &writer)
            writer.member("id", id)
        case .toastNotFound: Self.write(.toastNotFound, to: &writer)
        case .actionNotFound: Self.write(.actionNotFound, to: &writer)
        case .toastDismissed: Self.write(.toastDismissed, to: &writer)
        case .toastNotPresented: Self.write(.toastNotPresented, to: &writer)
        case .revisionMismatch(let current):
            Self.write(.revisionMismatch, to: &writer)
            writer.member("current", current)
        case .invalid(let reason):
            Self.write(.invalid, to: &writer)
            reason.writeMembers(to: &writer)
        }
    }

    private static func write(_ name: Name, to writer: inout JSONWriter) { writer.member("error", name.rawValue) }

    fileprivate init(_ reader: MessageReader) throws(MessageError) {
        self =
            switch try reader.choice("error", Name.self) {
            case .queueFull:
                try reader.flag("isBatchTooLong")
                    ? .batchTooLong(capacity: try reader.count("capacity"))
                    : .queueFull(capacity: try reader.count("capacity"))
            case .toastAlreadyPresented: .toastAlreadyPresented(try reader.toastID())
            case .toastNotFound: .toastNotFound
            case .actionNotFound: .actionNotFound
            case .toastDismissed: .toastDismissed
            case .toastNotPresented: .toastNotPresented
            case .revisionMismatch: .revisionMismatch(current: try reader.count("current"))
            case .invalid: .invalid(try ValidationError(reader))
            }
    }
}

extension StoreError {
    private enum Name: String {
        case conflict, undecided, unavailable, corrupt, tooManyChannels
    }

    fileprivate func writeMembers(to writer: inout JSONWriter) {
        switch self {
        case .conflict(let current):
            Self.write(.conflict, to: &writer)
            writer.member("current", current.rawValue)
        case .undecided(let text): Self.write(.undecided, text, to: &writer)
        case .unavailable(let text): Self.write(.unavailable, text, to: &writer)
        case .corrupt(let text): Self.write(.corrupt, text, to: &writer)
        case .tooManyChannels: Self.write(.tooManyChannels, to: &writer)
        }
    }

    private static func write(_ name: Name, _ text: String? = nil, to writer: inout JSONWriter) {
        writer.member("error", name.rawValue)
        writer.member("text", text)
    }

    fileprivate init(_ reader: MessageReader) throws(MessageError) {
        self =
            switch try reader.choice("error", Name.self) {
            case .conflict: .conflict(current: try reader.offset("current"))
            case .undecided: .undecided(try reader.text("text"))
            case .unavailable: .unavailable(try reader.text("text"))
            case .corrupt: .corrupt(try reader.text("text"))
            case .tooManyChannels: .tooManyChannels
            }
    }
}
