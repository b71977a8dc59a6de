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
            writer.error(Name.refused)
            writer.object("reason") { writer in reason.writeMembers(to: &writer) }
        case .settingsChanged: writer.error(Name.settingsChanged)
        case .invalidSettings(let reason):
            writer.error(Name.invalidSettings)
            reason.writeMembers(to: &writer)
        case .store(let reason):
            writer.error(Name.unavailable)
            writer.object("reason") { writer in reason.writeMembers(to: &writer) }
        case .keyReused: writer.error(Name.keyReused)
        case .tooManyChannels: writer.error(Name.tooManyChannels)
        case .outOfMemory: writer.error(Name.outOfMemory)
        case .tooManyKeys: writer.error(Name.tooManyKeys)
        case .keyInUse: writer.error(Name.keyInUse)
        }
    }

    init(_ reader: MessageReader) throws(MessageError) {
        self =
            switch try reader.read("error", Name.init(rawValue:)) {
            case .refused: .refused(try EngineError(reader.reader("reason")))
            case .settingsChanged: .settingsChanged
            case .invalidSettings: .invalidSettings(try ValidationError(reader))
            case .unavailable: .store(try StoreError(reader.reader("reason")))
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
            writer.error(Name.queueFull)
            writer.member("capacity", capacity)
        case .batchTooLong(let capacity):
            // Nodes of an earlier version know only `queueFull`.
            writer.error(Name.queueFull)
            writer.member("capacity", capacity)
            writer.flag("isBatchTooLong", true)
        case .toastAlreadyPresented(let id):
            writer.error(Name.toastAlreadyPresented)
            writer.member("id", id)
        case .toastNotFound: writer.error(Name.toastNotFound)
        case .actionNotFound: writer.error(Name.actionNotFound)
        case .toastDismissed: writer.error(Name.toastDismissed)
        case .toastNotPresented: writer.error(Name.toastNotPresented)
        case .revisionMismatch(let current):
            writer.error(Name.revisionMismatch)
            writer.member("current", current)
        case .invalid(let reason):
            writer.error(Name.invalid)
            reason.writeMembers(to: &writer)
        }
    }

    fileprivate init(_ reader: MessageReader) throws(MessageError) {
        self =
            switch try reader.read("error", Name.init(rawValue:)) {
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
            writer.error(Name.conflict)
            writer.member("current", current.rawValue)
        case .undecided(let text): writer.error(Name.undecided, text)
        case .unavailable(let text): writer.error(Name.unavailable, text)
        case .corrupt(let text): writer.error(Name.corrupt, text)
        case .tooManyChannels: writer.error(Name.tooManyChannels)
        }
    }

    fileprivate init(_ reader: MessageReader) throws(MessageError) {
        self =
            switch try reader.read("error", Name.init(rawValue:)) {
            case .conflict: .conflict(current: try reader.offset("current"))
            case .undecided: .undecided(try reader.text("text"))
            case .unavailable: .unavailable(try reader.text("text"))
            case .corrupt: .corrupt(try reader.text("text"))
            case .tooManyChannels: .tooManyChannels
            }
    }
}

extension JSONWriter {
    fileprivate mutating func error(_ name: some RawRepresentable<String>, _ text: String? = nil) {
        self.member("error", name.rawValue)
        self.member("text", text)
    }
}
