import Testing
import ToastCore

@Suite struct ChannelPatternTests {
    @Test(arguments: [
        ("*", "ops", true), ("ops", "ops", true), ("ops", "ops-eu", false), ("ops-*", "ops-eu", true),
        ("ops-*", "ops", false), ("ops*", "ops", true), ("OPS*", "ops", false),
    ])
    func patternsMatchFromTheStart(pattern: String, channel: String, isMatch: Bool) throws {
        let pattern = try #require(ChannelPattern(rawValue: pattern))
        #expect(pattern.matches(try #require(ChannelName(rawValue: channel))) == isMatch)
    }

    @Test(arguments: ["", "a*b", "**", "*a", "a b", "ä*"])
    func otherTextsAreNoPatterns(text: String) {
        #expect(ChannelPattern(rawValue: text) == nil)
    }
}
