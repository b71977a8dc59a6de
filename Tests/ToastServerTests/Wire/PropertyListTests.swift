import Testing
import ToastCore

@testable import ToastServer

@Suite struct PropertyListTests {
    private let whole = Array(
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>background</key>\
        <string>#FFFFFF</string></dict></plist>
        """.utf8
    )

    @Test func `a dictionary of colours is a theme`() throws {
        #expect(try PropertyList.theme(in: self.whole) == ["background": "#FFFFFF"])
    }

    @Test func `a part of a list is refused`() {
        for end in 0..<self.whole.count - "</plist>".utf8.count {
            #expect(throws: Problem.self) { _ = try PropertyList.theme(in: Array(self.whole[..<end])) }
        }
    }

    @Test func `a binary list is refused with a way to convert it`() throws {
        let error = #expect(throws: Problem.self) { _ = try PropertyList.theme(in: Array("bplist00".utf8)) }
        #expect(try #require(error?.issues.first).detail.contains("plutil -convert xml1"))
    }
}
