/// Every type of problem that a response may have: its status, and its title, which is the same for all requests.
///
/// `openapi.yaml` lists the same.
enum ProblemType: String, CaseIterable {
    case malformedRequest = "400 The request breaks HTTP."
    case invalidJSON = "400 The body is not valid JSON."
    case documentTooDeep = "422 The document is nested too deeply."
    case textTooLong = "422 A text is too long."
    case tooManyArguments = "422 A text has too many arguments."
    case tooManyActions = "422 The toast has too many actions."
    case tooManyWebhooks = "422 The channel would have too many webhooks."
    case tooManyHooks = "422 There would be too many hooks."
    case catalogTooLarge = "422 The catalogs are too large."
    case invalidToast = "422 The toast is not valid."
    case invalidPatch = "422 The patch is not valid."
    case invalidSettings = "422 The settings are not valid."
    case invalidHook = "422 The hook is not valid."
    case invalidCommand = "422 The command is not valid."
    case invalidParameter = "400 A parameter of the request is not valid."
    case invalidChannelName = "400 The channel's name is not valid."
    case invalidLanguage = "400 The language tag is not valid."
    case invalidCatalog = "422 The catalog is not valid."
    case credentialsRequired = "401 Credentials are required."
    case credentialsInvalid = "401 The credentials are not valid."
    case notPermitted = "403 You may not do this."
    case originNotAllowed = "403 Pages of another origin may not do this."
    case hostNotAllowed = "403 The server does not answer under this name."
    case notFound = "404 There is no such resource."
    case toastNotFound = "404 There is no such toast."
    case catalogNotFound = "404 There is no such catalog."
    case actionNotFound = "404 The toast has no such action."
    case presetNotFound = "404 There is no such preset."
    case webhookNotFound = "404 The channel has no such webhook."
    case hookNotFound = "404 There is no such hook."
    case methodNotAllowed = "405 The method is not allowed here."
    case toastAlreadyPresented = "409 A toast is on screen already, or waits for it."
    case toastDismissed = "409 The toast was dismissed."
    case toastNotPresented = "409 The toast is not on screen."
    case preconditionFailed = "412 A condition of the request is not met."
    case payloadTooLarge = "413 The body is too long."
    case batchTooLarge = "413 The batch has too many toasts."
    case unsupportedMediaType = "415 The body's media type is not supported."
    case pathTooLong = "414 The path of the request is too long."
    case headTooLarge = "431 The head of the request is too long."
    case tooManyHeaderFields = "431 The request has too many header fields."
    case upgradeRequired = "426 This resource is a WebSocket."
    case idempotencyKeyInvalid = "400 The idempotency key is not valid."
    case idempotencyKeyInUse = "409 A request with this idempotency key is under way."
    case idempotencyKeyReused = "422 The idempotency key was used for another request."
    case queueFull = "429 The channel's queue is full."
    case rateLimited = "429 Too many requests."
    case tooManyAttempts = "429 Too many attempts failed."
    case tooManyIdempotencyKeys = "429 The limit of idempotency keys of the channel is reached."
    case tooManySessions = "503 The limit of sessions is reached."
    case tooManyChannels = "503 The limit of channels in memory is reached."
    case tooManyStoredChannels = "503 The limit of stored channels is reached."
    case tooManyStreams = "503 The limit of streams is reached."
    case tooManyStreamsFromSource = "429 The limit of streams from one address is reached."
    case tooManyStreamsOfChannel = "503 The limit of streams of the channel is reached."
    case tooManyConnectionsFromSource = "429 The limit of connections from one address is reached."
    case outOfMemory = "503 The server's memory limit is reached."
    case storeUnavailable = "503 The store cannot be used right now."
    case storeUndecided = "503 The change may or may not be stored."
    case shuttingDown = "503 The server is shutting down."
    case notImplemented = "501 The server does not support this."
    case internalError = "500 Something went wrong in the server."

    /// The end of the URI: the words of the case's name, so renaming a case changes the API.
    var name: String { Self.names[self] ?? "" }

    /// The URI by which clients know the problem.
    var uri: String { "urn:toastd:problem:\(self.name)" }

    /// The status code of a response that carries it.
    var status: Int { Int(self.rawValue.prefix(3)) ?? 500 }

    /// The meaning of the problem in a sentence, the same for all requests.
    var title: String { String(self.rawValue.dropFirst(4)) }

    /// Made once: the name of a case is looked up in runtime metadata, and a client can cause many problems.
    private static let names: [ProblemType: String] = Dictionary(
        uniqueKeysWithValues: Self.allCases.map { type in
            let words = "\(type)".replacing(/[A-Z]+/) { "-" + $0.output.lowercased() }
            return (type, type == .internalError ? "internal" : words)
        }
    )
}
