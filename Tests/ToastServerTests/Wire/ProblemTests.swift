import Foundation
import MicroHTTP
import Testing
import ToastCore
import ToastHub

@testable import ToastServer

@Suite struct ProblemTests {
    /// The description lies at the root of the package.
    private static let description = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "openapi.yaml")

    @Test func everyProblemIsDescribed() throws {
        let text = try String(contentsOf: Self.description, encoding: .utf8)
        // The list of the schema: a line for each.
        let described = text.matches(of: /\n {8}- (urn:toastd:problem:[a-z-]+)(?=\n)/).map { String($0.1) }
        #expect(described.sorted() == ProblemType.allCases.map(\.uri).sorted())
    }

    @Test(arguments: ProblemType.allCases)
    func everyProblemHasAStatusAndASentence(type: ProblemType) {
        #expect(type.rawValue.wholeMatch(of: /[45]\d\d [A-Z].+\./) != nil)
    }

    @Test func everyDescribedProblemExists() throws {
        let text = try String(contentsOf: Self.description, encoding: .utf8)
        let names = Set(text.matches(of: /urn:toastd:problem:([a-z-]+)/).map { String($0.1) })
        #expect(names.subtracting(ProblemType.allCases.map(\.name)) == [])
    }
}

/// Every error of the layers below becomes a problem of its own, and none of them sends the mapping in a circle.
@Suite struct MappingTests {
    @Test(arguments: [
        (HTTPError.malformed("x"), ProblemType.malformedRequest),
        (.unknownTransferCoding, .notImplemented), (.bodyTooLong(limit: 1), .payloadTooLarge),
        (.notFound, .notFound), (.methodNotAllowed([.get]), .methodNotAllowed), (.stopping, .shuttingDown),
    ])
    func anHTTPErrorHasAProblem(error: HTTPError, type: ProblemType) {
        #expect(Problem(from: error).type == type)
    }

    @Test(arguments: [
        (EngineError.queueFull(capacity: 1), ProblemType.queueFull), (.toastNotFound, .toastNotFound),
        (.batchTooLong(capacity: 1), .batchTooLarge),
        (.actionNotFound, .actionNotFound), (.toastDismissed, .toastDismissed),
        (.toastNotPresented, .toastNotPresented), (.revisionMismatch(current: 1), .preconditionFailed),
        (.invalid(ValidationError(issues: [])), .invalidPatch),
    ])
    func aRefusalHasAProblem(error: EngineError, type: ProblemType) {
        #expect(Problem(from: ChannelError.refused(error)).type == type)
    }

    @Test(arguments: [
        (StreamError.tooManyStreams, ProblemType.tooManyStreams), (.draining, .shuttingDown),
        (.tooManyChannels, .invalidParameter), (.channel(.keyInUse), .idempotencyKeyInUse),
        (.channel(.keyReused), .idempotencyKeyReused), (.channel(.unavailable(.corrupt(""))), .storeUnavailable),
        (.channel(.unavailable(.undecided(""))), .storeUndecided),
        (.channel(.outOfMemory), .outOfMemory), (.channel(.tooManyKeys), .tooManyIdempotencyKeys),
        (.rightsEnded, .credentialsInvalid),
    ])
    func aStreamThatWasNotOpenedHasAProblem(error: StreamError, type: ProblemType) {
        #expect(Problem(from: error).type == type)
    }
}
