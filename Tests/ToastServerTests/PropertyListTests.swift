import Testing
import ToastCore

@testable import ToastServer

@Suite struct PropertyListTests {
    /// Puts a property list together from objects, the first of which is the top.
    private func list(_ objects: [[UInt8]], count: UInt64? = nil, top: UInt64 = 0, sizes: [UInt8] = [1, 1]) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var table: [UInt8] = []
        for object in objects {
            table.append(UInt8(bytes.count))
            bytes += object
        }
        let place = UInt64(bytes.count)
        bytes += table + [0, 0, 0, 0, 0, 0] + sizes
        for number in [count ?? UInt64(objects.count), top, place] { bytes += self.bytes(of: number) }
        return bytes
    }

    private func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * (7 - $0))) }
    }

    private func text(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + text.utf8 }

    @Test func textsAreReadAndAllElseIsNone() {
        let wide: [UInt8] = [0x61, 0x00, 0xE9]
        let names = [self.text("a"), wide, self.text("c")]
        let objects = [[0xD3, 1, 2, 3, 4, 5, 6]] + names + [self.text("#FFF"), wide, [0x10, 7]]
        let values = BinaryPropertyList(self.list(objects))?.dictionary
        #expect(values == ["a": .text("#FFF"), "é": .text("é"), "c": .other])
    }

    private static let counts: [UInt64] = [
        .max, .max >> 1, 1 << 63, 1 << 62, 1 << 61, 1 << 32, 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FF7F, 2,
    ]

    @Test(arguments: [UInt8(0xDF), 0xAF, 0xCF, 0x5F, 0x6F, 0x4F], Self.counts)
    func aCountThatIsNotThereIsNone(kind: UInt8, count: UInt64) {
        let object = [kind, 0x13] + self.bytes(of: count)
        #expect(BinaryPropertyList(self.list([object]))?.dictionary == nil)
        // The same as a name, and as a value.
        #expect(BinaryPropertyList(self.list([[0xD1, 1, 1], object]))?.dictionary == nil)
        let value = BinaryPropertyList(self.list([[0xD1, 1, 2], self.text("a"), object]))?.dictionary?["a"]
        #expect(value == .text("") || value == .other)
    }

    @Test(arguments: [UInt64.max, .max >> 1, 1 << 62, 1 << 32, 2, 1])
    func placesThatAreNotThereAreNone(number: UInt64) {
        let empty: [UInt8] = [0xD0]
        #expect(BinaryPropertyList(self.list([empty]))?.dictionary == [:])
        #expect(BinaryPropertyList(self.list([empty], top: number))?.dictionary == nil)
        #expect(number == 1 || BinaryPropertyList(self.list([empty], count: number)) == nil)
        for sizes in [[0, 1], [1, 0], [9, 1], [1, 9], [255, 255], [8, 1]] as [[UInt8]] {
            #expect(BinaryPropertyList(self.list([empty], sizes: sizes))?.dictionary == nil)
        }
    }

    @Test func aNameThatComesTwiceOrIsNoneSpoilsAll() {
        #expect(BinaryPropertyList(self.list([[0xD2, 1, 1, 1, 1], self.text("a")]))?.dictionary == nil)
        #expect(BinaryPropertyList(self.list([[0xD1, 1, 1], [0x10, 1]]))?.dictionary == nil)
        #expect(BinaryPropertyList(self.list([[0xD1, 1, 1], [0x51, 0xC3]]))?.dictionary == nil)
        #expect(BinaryPropertyList(self.list([[0xD1, 1, 1], [0x61, 0xD8, 0x00]]))?.dictionary == nil)
        #expect(BinaryPropertyList(self.list([[0xD1, 0, 0]]))?.dictionary == nil)
    }

    @Test func everyPartOfAListIsNone() {
        let whole = self.list([[0xD1, 1, 2], self.text("background"), self.text("#FFFFFF")])
        #expect(throws: Never.self) { _ = try PropertyList.theme(in: whole) }
        for end in whole.indices {
            #expect(throws: Problem.self) { _ = try PropertyList.theme(in: Array(whole[..<end])) }
        }
    }
}
