import Sealing
import Testing

@Suite struct ClusterKeyTests {
    private let text = Array("Vu4mN8tq0yQ2Zc1xLr7Kd5Wf9Hs3Jb6T".utf8)

    private func key(_ content: [UInt8]) throws -> ClusterKey { try ClusterKey(fileContent: content) }

    @Test func theEndsOfATextAreNoPartOfTheKey() throws {
        let key = try self.key(self.text)
        for content in [self.text + [10], self.text + [13, 10], [32] + self.text + [10, 10]] {
            #expect(try self.key(content).fingerprint == key.fingerprint)
        }
        #expect(try self.key(self.text + [65]).fingerprint != key.fingerprint)
    }

    @Test func bytesAreTakenAsTheyAre() throws {
        let bytes = [UInt8](0..<32)
        #expect(try self.key(bytes).fingerprint != self.key(bytes + [10]).fingerprint)
    }

    @Test func aFileThatIsNoKeyIsRefused() {
        let none: [([UInt8], ClusterKeyError)] = [
            ([], .tooShort(0)),
            (Array(self.text.dropLast()) + [10], .tooShort(31)),
            (Array(repeating: 32, count: 40), .tooShort(0)),
            (Array(0...255) + Array(repeating: 1, count: 4096), .tooLong(4352)),
            (Array(repeating: 0, count: 32), .notRandom),
            (Array(repeating: Array("abc".utf8), count: 20).flatMap(\.self), .notRandom),
        ]
        for (content, error) in none {
            #expect(throws: error) { try ClusterKey(fileContent: content) }
        }
        #expect(ClusterKeyError.tooShort(31).description.contains("31 bytes"))
    }

    @Test func whatIsSealedOpensWithTheSameKeyPurposeAndContextOnly() throws {
        let key = try self.key(self.text)
        let sealer = key.sealer(for: .sessions)
        let bytes = Array("a secret".utf8)
        let sealed = sealer.seal(bytes, for: "here")
        #expect(try self.key(self.text + [10]).sealer(for: .sessions).open(sealed, for: "here") == bytes)
        let other = try self.key(Array(self.text.reversed()))
        #expect(other.sealer(for: .sessions).open(sealed, for: "here") == nil)
        #expect(key.sealer(for: .tickets).open(sealed, for: "here") == nil)
        #expect(sealer.open(sealed, for: "there") == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(sealer.open(changed, for: "here") == nil)
            #expect(sealer.open(Array(sealed[..<index]), for: "here") == nil)
        }
        #expect(sealer.seal(bytes, for: "here") != sealed)
    }

    @Test func eachPurposeHasAKeyOfItsOwn() throws {
        let key = try self.key(self.text)
        let sealed = SealingPurpose.allCases.map { key.sealer(for: $0).seal([1], for: "") }
        for (index, purpose) in SealingPurpose.allCases.enumerated() {
            for (other, bytes) in sealed.enumerated() {
                #expect(key.sealer(for: purpose).open(bytes, for: "") == (index == other ? [1] : nil))
            }
        }
    }
}
