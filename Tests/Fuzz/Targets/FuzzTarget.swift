/// A parser of ours, and what holds whatever bytes it gets: that nothing traps, and more than that.
struct FuzzTarget: Sendable, CustomStringConvertible {
    let name: String
    let check: @Sendable ([UInt8]) throws -> Void

    init(_ name: String, _ check: @escaping @Sendable ([UInt8]) throws -> Void) {
        self.name = name
        self.check = check
    }

    var description: String { self.name }

    /// All of them; the seeds of each stand in a folder of its name.
    static let all: [Self] =
        Self.http + Self.values + Self.documents + Self.languages + Self.records + Self.access + Self.cluster
        + Self.server + Self.formats + Self.nats
}

/// Something that should hold for all input, and did not.
struct BrokenPromise: Error, CustomStringConvertible {
    let description: String
}

/// Checks a promise.
func promise(_ holds: @autoclosure () throws -> Bool, _ sentence: @autoclosure () -> String) throws {
    guard try holds() else { throw BrokenPromise(description: sentence()) }
}

extension [UInt8] {
    /// The bytes as text; what is not UTF-8 is replaced.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The parts between line feeds.
    var lines: [[UInt8]] { self.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init) }
}
