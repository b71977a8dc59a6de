import Testing
import ToastCore

@Suite struct ColorTests {
    private func color(_ hex: String) throws -> Color { try #require(Color(hex: hex)) }

    private func contrast(_ front: String, _ back: String, over page: Color = .white) throws -> Double {
        (try self.color(front).contrast(on: try self.color(back), over: page) * 100).rounded() / 100
    }

    /// Pairs whose ratios WebAIM's checker shows.
    @Test(arguments: [
        ("000000", "FFFFFF", 21.0), ("FFFFFF", "000000", 21), ("777777", "FFFFFF", 4.48), ("767676", "FFFFFF", 4.54),
        ("FF0000", "FFFFFF", 4.0), ("00FF00", "FFFFFF", 1.37), ("0000FF", "FFFFFF", 8.59), ("123456", "123456", 1),
    ])
    func contrastIsWCAGs(front: String, back: String, ratio: Double) throws {
        #expect(try self.contrast(front, back) == ratio)
    }

    /// The system's colours, as measured for Toaster and ToastUI.
    @Test(arguments: [
        ("3C3C4399", "FFFFFF", 3.44), ("EBEBF599", "2C2C2E", 5.27), ("34C759", "FFFFFF", 2.22),
        ("FF3B30", "FFFFFF", 3.55),
        ("FF9500", "FFFFFF", 2.2), ("007AFF", "FFFFFF", 4.02), ("FFCC00", "FFFFFF", 1.51),
    ])
    func translucentColorsLetTheBackgroundThrough(front: String, back: String, ratio: Double) throws {
        #expect(try self.contrast(front, back) == ratio)
    }

    @Test func aTranslucentBackgroundLetsThePageThrough() throws {
        #expect(try self.contrast("000000", "00000000", over: .white) == 21)
        #expect(try self.contrast("000000", "00000000", over: .black) == 1)
        #expect(try self.contrast("FFFFFF", "00000080", over: .black) == 21)
        // Black over half of it on white is #7F7F7F.
        #expect(try self.contrast("FFFFFF", "00000080", over: .white) == (try self.contrast("FFFFFF", "7F7F7F")))
        #expect(try self.contrast("FFFFFF00", "336699", over: .white) == 1)
    }

    @Test func hexIsWhatCSSReads() throws {
        #expect(try self.color("0a0B0c").hex == "#0A0B0C")
        #expect(try self.color("0a0B0c0d").hex == "#0A0B0C0D")
        #expect(Color(red: 1, green: 2, blue: 3).hex == "#010203")
    }
}
