import Foundation
import Metrics
import MicroHTTP
import Testing
import ToastCore
import ToastHub

@testable import ToastServer

@Suite struct ProblemTests {
    /// `openapi.yaml` is at the root of the package.
    private static let description = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "openapi.yaml")

    @Test func everyProblemIsDescribed() throws {
        let text = try String(contentsOf: Self.description, encoding: .utf8)
        // The schema lists each type on a line.
        let described = text.matches(of: /\n {8}- (urn:toastd:problem:[a-z-]+)(?=\n)/).map { String($0.1) }
        #expect(described.sorted() == ProblemType.allCases.map(\.uri).sorted())
    }

    @Test(arguments: ProblemType.allCases)
    func everyProblemHasAStatusAndASentence(type: ProblemType) {
        #expect(type.rawValue.wholeMatch(of: /[45]\d\d [A-Z].+\./) != nil)
    }

    @Test func everyProblemHasACounter() {
        #expect(ProblemType.allCases.count <= CounterArray().count)
    }

    @Test func everyDescribedProblemExists() throws {
        let text = try String(contentsOf: Self.description, encoding: .utf8)
        let names = Set(text.matches(of: /urn:toastd:problem:([a-z-]+)/).map { String($0.1) })
        #expect(names.subtracting(ProblemType.allCases.map(\.name)) == [])
    }
}

/// Every error of the lower layers becomes a problem, and mapping it comes to an end.
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
        (.channel(.keyReused), .idempotencyKeyReused), (.channel(.store(.corrupt(""))), .storeUnavailable),
        (.channel(.store(.undecided(""))), .storeUndecided),
        (.channel(.outOfMemory), .outOfMemory), (.channel(.tooManyKeys), .tooManyIdempotencyKeys),
        (.permissionsEnded, .credentialsInvalid),
    ])
    func aStreamThatWasNotOpenedHasAProblem(error: StreamError, type: ProblemType) {
        #expect(Problem(from: error).type == type)
    }
}
