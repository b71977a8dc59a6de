import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct AnswerPartsTests {
    @Test func whatASlowReaderDoesNotReadIsBounded() async throws {
        let (parts, writer) = AnswerParts.make(limit: 100)
        for _ in 0..<3 { writer.write(.body(Data(count: 40))) }
        var count = 0
        await #expect(throws: ToastdError.connectionLost("the reader is too slow")) {
            for try await _ in parts { count += 1 }
        }
        #expect(count == 2)
    }

    @Test func whatWasReadMakesRoom() async throws {
        let (parts, writer) = AnswerParts.make(limit: 100)
        var iterator = parts.makeAsyncIterator()
        for _ in 0..<10 {
            writer.write(.body(Data(count: 60)))
            #expect(try await iterator.next() != nil)
        }
        writer.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func manySmallPartsMayWait() async throws {
        let (parts, writer) = AnswerParts.make()
        for _ in 0..<10_000 { writer.write(.body(Data(count: 1))) }
        writer.finish()
        #expect(try await parts.reduce(0) { count, _ in count + 1 } == 10_000)
    }
}
