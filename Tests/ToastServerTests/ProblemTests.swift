import Foundation
import Testing

@testable import ToastServer

@Suite struct ProblemTests {
    /// The description lies at the root of the package.
    private static let description = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "openapi.yaml")

    @Test(arguments: ProblemType.allCases)
    func everyProblemIsDescribed(type: ProblemType) throws {
        let text = try String(contentsOf: Self.description, encoding: .utf8)
        #expect(text.contains("urn:toastd:problem:\(type.rawValue)"))
    }

    @Test func everyDescribedProblemExists() throws {
        let text = try String(contentsOf: Self.description, encoding: .utf8)
        let names = Set(text.matches(of: /urn:toastd:problem:([a-z-]+)/).map { String($0.1) })
        #expect(names.subtracting(ProblemType.allCases.map(\.rawValue)) == [])
    }
}
