/// Every problem that an answer may carry: its name, its status, and one sentence.
///
/// The table of the API; the description in `openapi.yaml` lists the same.
enum ProblemType: String, CaseIterable {
    case malformedRequest = "malformed-request"
    case invalidJSON = "invalid-json"
    case documentTooDeep = "document-too-deep"
    case textTooLong = "text-too-long"
    case tooManyArguments = "too-many-arguments"
    case tooManyActions = "too-many-actions"
    case tooManyWebhooks = "too-many-webhooks"
    case catalogTooLarge = "catalog-too-large"
    case invalidToast = "invalid-toast"
    case invalidPatch = "invalid-patch"
    case invalidSettings = "invalid-settings"
    case invalidCommand = "invalid-command"
    case invalidParameter = "invalid-parameter"
    case invalidChannelName = "invalid-channel-name"
    case invalidLanguage = "invalid-language"
    case invalidCatalog = "invalid-catalog"
    case credentialsRequired = "credentials-required"
    case credentialsInvalid = "credentials-invalid"
    case notPermitted = "not-permitted"
    case originNotAllowed = "origin-not-allowed"
    case hostNotAllowed = "host-not-allowed"
    case notFound = "not-found"
    case toastNotFound = "toast-not-found"
    case catalogNotFound = "catalog-not-found"
    case actionNotFound = "action-not-found"
    case presetNotFound = "preset-not-found"
    case webhookNotFound = "webhook-not-found"
    case methodNotAllowed = "method-not-allowed"
    case toastAlreadyPresented = "toast-already-presented"
    case toastDismissed = "toast-dismissed"
    case toastNotPresented = "toast-not-presented"
    case preconditionFailed = "precondition-failed"
    case payloadTooLarge = "payload-too-large"
    case batchTooLarge = "batch-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case pathTooLong = "path-too-long"
    case headTooLarge = "head-too-large"
    case tooManyHeaderFields = "too-many-header-fields"
    case upgradeRequired = "upgrade-required"
    case idempotencyKeyInvalid = "idempotency-key-invalid"
    case idempotencyKeyInUse = "idempotency-key-in-use"
    case idempotencyKeyReused = "idempotency-key-reused"
    case queueFull = "queue-full"
    case rateLimited = "rate-limited"
    case tooManyAttempts = "too-many-attempts"
    case tooManyIdempotencyKeys = "too-many-idempotency-keys"
    case tooManySessions = "too-many-sessions"
    case tooManyChannels = "too-many-channels"
    case tooManyStoredChannels = "too-many-stored-channels"
    case tooManyStreams = "too-many-streams"
    case tooManyStreamsFromSource = "too-many-streams-from-source"
    case tooManyStreamsOfChannel = "too-many-streams-of-channel"
    case tooManyConnectionsFromSource = "too-many-connections-from-source"
    case outOfMemory = "out-of-memory"
    case storeUnavailable = "store-unavailable"
    case storeUndecided = "store-undecided"
    case shuttingDown = "shutting-down"
    case notImplemented = "not-implemented"
    case internalError = "internal"

    /// The name under which clients know it.
    var uri: String { "urn:toastd:problem:\(self.rawValue)" }

    /// The status code of an answer that carries it.
    var status: Int {
        switch self {
        case .malformedRequest, .invalidJSON, .invalidParameter, .invalidChannelName, .invalidLanguage,
            .idempotencyKeyInvalid:
            400
        case .credentialsRequired, .credentialsInvalid: 401
        case .notPermitted, .originNotAllowed, .hostNotAllowed: 403
        case .notFound, .toastNotFound, .actionNotFound, .catalogNotFound, .presetNotFound, .webhookNotFound: 404
        case .methodNotAllowed: 405
        case .toastAlreadyPresented, .toastDismissed, .toastNotPresented, .idempotencyKeyInUse: 409
        case .preconditionFailed: 412
        case .payloadTooLarge, .batchTooLarge: 413
        case .pathTooLong: 414
        case .unsupportedMediaType: 415
        case .documentTooDeep, .textTooLong, .tooManyArguments, .tooManyActions, .tooManyWebhooks, .catalogTooLarge,
            .invalidToast, .invalidPatch, .invalidSettings, .invalidCommand, .invalidCatalog,
            .idempotencyKeyReused:
            422
        case .upgradeRequired: 426
        case .queueFull, .rateLimited, .tooManyAttempts, .tooManyStreamsFromSource, .tooManyIdempotencyKeys,
            .tooManyConnectionsFromSource:
            429
        case .headTooLarge, .tooManyHeaderFields: 431
        case .internalError: 500
        case .notImplemented: 501
        case .tooManyChannels, .tooManyStoredChannels, .tooManyStreams, .tooManyStreamsOfChannel, .tooManySessions,
            .storeUnavailable, .storeUndecided, .outOfMemory, .shuttingDown:
            503
        }
    }

    /// What it means, whatever the request.
    var title: String {
        switch self {
        case .malformedRequest: "The request breaks HTTP."
        case .invalidJSON: "The body is not valid JSON."
        case .documentTooDeep: "The document is nested too deeply."
        case .textTooLong: "A text is too long."
        case .tooManyArguments: "A text has too many arguments."
        case .tooManyActions: "The toast has too many actions."
        case .tooManyWebhooks: "The channel would have too many webhooks."
        case .catalogTooLarge: "The catalogs are too large."
        case .pathTooLong: "The path of the request is too long."
        case .headTooLarge: "The head of the request is too long."
        case .tooManyHeaderFields: "The request has too many header fields."
        case .invalidToast: "The toast is not valid."
        case .invalidPatch: "The patch is not valid."
        case .invalidSettings: "The settings are not valid."
        case .invalidCommand: "The command is not valid."
        case .invalidParameter: "A parameter of the request is not valid."
        case .invalidChannelName: "The channel's name is not valid."
        case .invalidLanguage: "The language tag is not valid."
        case .invalidCatalog: "The catalog is not valid."
        case .credentialsRequired: "Say who you are."
        case .credentialsInvalid: "The credentials are not valid."
        case .notPermitted: "You may not do this."
        case .originNotAllowed: "Pages of another origin may not do this."
        case .hostNotAllowed: "The server does not answer under this name."
        case .notFound: "Nothing is here."
        case .toastNotFound: "There is no such toast."
        case .actionNotFound: "The toast has no such action."
        case .catalogNotFound: "There is no such catalog."
        case .presetNotFound: "There is no such preset."
        case .webhookNotFound: "The channel has no such webhook."
        case .methodNotAllowed: "The method is not allowed here."
        case .toastAlreadyPresented: "A toast is on screen already, or waits for it."
        case .toastDismissed: "The toast was dismissed."
        case .toastNotPresented: "The toast is not on screen."
        case .preconditionFailed: "What is to be changed is not as it was read."
        case .payloadTooLarge: "The body is too long."
        case .batchTooLarge: "The batch has too many toasts."
        case .unsupportedMediaType: "The body's media type is not supported."
        case .upgradeRequired: "This resource is a WebSocket."
        case .idempotencyKeyInvalid: "The idempotency key is not valid."
        case .idempotencyKeyInUse: "A request with this idempotency key is under way."
        case .idempotencyKeyReused: "The idempotency key was used for another request."
        case .rateLimited: "This was done too often."
        case .tooManyAttempts: "Too many attempts failed."
        case .tooManyIdempotencyKeys: "The channel remembers as many idempotency keys as it may."
        case .tooManySessions: "There are as many sessions as there may be."
        case .queueFull: "The channel's queue is full."
        case .tooManyChannels: "There are as many channels at work as there may be."
        case .tooManyStoredChannels: "As many channels are kept as may be."
        case .tooManyStreams: "There are as many streams as there may be."
        case .tooManyStreamsFromSource: "There are as many streams from one address as there may be."
        case .tooManyStreamsOfChannel: "The channel has as many streams as it may have."
        case .tooManyConnectionsFromSource: "There are as many connections from one address as there may be."
        case .storeUnavailable: "The store cannot be used right now."
        case .storeUndecided: "The change may be stored or not."
        case .outOfMemory: "The server takes as much memory as it may."
        case .shuttingDown: "The server is shutting down."
        case .notImplemented: "The server does not know how to do this."
        case .internalError: "Something went wrong in the server."
        }
    }
}
