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

    @Test func `a truncated list is refused`() {
        for end in 0..<self.whole.count - "</plist>".utf8.count {
            #expect(throws: Problem.self) { _ = try PropertyList.theme(in: Array(self.whole[..<end])) }
        }
    }

    @Test func `a list has a longest length`() throws {
        let room = PropertyList.maximumLength - self.whole.count
        let longest = self.whole + Array(repeating: UInt8(ascii: " "), count: room)
        #expect(try PropertyList.theme(in: longest) == ["background": "#FFFFFF"])
        let problem = try #require(throws: Problem.self) {
            _ = try PropertyList.theme(in: longest + [UInt8(ascii: " ")])
        }
        #expect(problem.type == .payloadTooLarge)
    }

    @Test func `a byte order mark and blanks may stand in front`() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try PropertyList.theme(in: mark + self.whole) == ["background": "#FFFFFF"])
        // A declaration must be the first.
        let end = try #require(self.whole.firstIndex(of: UInt8(ascii: ">")))
        let list = Array(self.whole[(end + 1)...])
        #expect(try PropertyList.theme(in: Array("\n ".utf8) + list) == ["background": "#FFFFFF"])
    }

    /// All of these could hide names with combining marks, which take long to compare.
    @Test func `other spellings of a list are refused`() {
        let text = String(decoding: self.whole, as: UTF8.self)
        let refused = [
            Array(text.replacing("UTF-8", with: "UTF-16").utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
            Array("{ background = \"#FFFFFF\"; }".utf8),
            Array(text.replacing("background", with: "&#98;ackground").utf8),
            Array(text.replacing("background", with: "b" + String(repeating: "\u{301}", count: 65)).utf8),
        ]
        for body in refused { #expect(throws: Problem.self) { _ = try PropertyList.theme(in: body) } }
    }

    @Test func `a binary list is refused with a way to convert it`() throws {
        let error = #expect(throws: Problem.self) { _ = try PropertyList.theme(in: Array("bplist00".utf8)) }
        #expect(try #require(error?.issues.first).detail.contains("plutil -convert xml1"))
    }
}
