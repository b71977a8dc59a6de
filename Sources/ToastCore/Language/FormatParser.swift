/// What a format is made of.
enum FormatPiece: Equatable {
    /// Text; a doubled percent sign is a piece of its own.
    case literal(ArraySlice<UInt8>)
    /// A place for an argument, and how it was written.
    case place(source: ArraySlice<UInt8>, FormatPlace)
    /// A part with plural forms, `%#@name@`, how it was written, and its argument.
    case part(source: ArraySlice<UInt8>, name: String, index: Int)
}

/// A place for an argument.
struct FormatPlace: Equatable {
    /// Which argument goes there, counted from 0.
    let index: Int
    /// What is between the number and the specifier: `02`, `.1`, `ll`.
    let options: ArraySlice<UInt8>
    /// What kind of argument is meant, such as `@` or `d`.
    let specifier: UInt8

    var isInteger: Bool { "dDiuU".utf8.contains(self.specifier) }

    /// The place with its number.
    var numbered: [UInt8] {
        Array("%\(self.index + 1)$".utf8) + self.options + [self.specifier]
    }

    /// The argument as it appears there.
    func text(of argument: JSON) -> [UInt8] {
        switch argument {
        case .string(let text): return Array(text.utf8)
        case .integer, .double: return self.digits(of: argument)
        default: return argument.bytes
        }
    }

    /// A number, with the decimals and the leading zeros of the place.
    private func digits(of argument: JSON) -> [UInt8] {
        let parts = self.options.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        var digits = argument.bytes
        if !self.isInteger, parts.count == 2, let number = argument.number {
            digits = Self.rounded(number, to: Self.count(parts[1])) ?? digits
        }
        guard let width = parts.first, width.first == UInt8(ascii: "0") else { return digits }
        let missing = max(0, Self.count(width) - digits.count)
        let sign = digits.first == UInt8(ascii: "-") ? 1 : 0
        digits.insert(contentsOf: Array(repeating: UInt8(ascii: "0"), count: missing), at: sign)
        return digits
    }

    /// A number with `count` decimals; `nil` when the number or `count` is too large.
    private static func rounded(_ number: Double, to count: Int) -> [UInt8]? {
        let scale = (0..<count).reduce(1.0) { scale, _ in scale * 10 }
        guard count <= 6, let scaled = Int64(exactly: (number * scale).rounded()) else { return nil }
        var digits = Array(String(scaled.magnitude).utf8)
        digits.insert(contentsOf: Array(repeating: UInt8(ascii: "0"), count: max(0, count + 1 - digits.count)), at: 0)
        if count > 0 { digits.insert(UInt8(ascii: "."), at: digits.count - count) }
        return (scaled < 0 ? [UInt8(ascii: "-")] : []) + digits
    }

    private static func count(_ digits: ArraySlice<UInt8>) -> Int {
        digits.filter(\.isDigit).reduce(0) { min($0 * 10 + Int($1 - UInt8(ascii: "0")), 99) }
    }
}

/// Takes a format apart.
struct FormatParser {
    private var rest: ArraySlice<UInt8>
    private var pieces: [FormatPiece] = []
    /// The argument of the next place without a number.
    private var next = 0

    /// The longest name of a part, in bytes; also bounds the search for its end.
    private static let longestName = 64

    static func pieces(of format: String) -> [FormatPiece] {
        var parser = Self(rest: Array(format.utf8)[...])
        while !parser.rest.isEmpty { parser.step() }
        return parser.pieces
    }

    private mutating func step() {
        guard self.rest.first == UInt8(ascii: "%") else {
            return self.literal(self.rest.prefix { $0 != UInt8(ascii: "%") })
        }
        let body = self.rest.dropFirst()
        if body.first == UInt8(ascii: "%") {
            self.pieces.append(.literal(body.prefix(1)))
            self.rest = body.dropFirst()
        } else if !self.part(body) && !self.place(body) {
            // A plain percent sign, and the text after it.
            self.literal(self.rest.prefix(1) + body.prefix { $0 != UInt8(ascii: "%") })
        }
    }

    private mutating func literal(_ text: ArraySlice<UInt8>) {
        self.pieces.append(.literal(text))
        self.rest = self.rest.dropFirst(text.count)
    }

    /// `#@name@`, perhaps numbered.
    private mutating func part(_ body: ArraySlice<UInt8>) -> Bool {
        var body = body
        let number = Self.number(&body)
        guard body.starts(with: "#@".utf8) else { return false }
        let name = body.dropFirst(2).prefix(Self.longestName).prefix { $0 != UInt8(ascii: "@") }
        guard !name.isEmpty, body.dropFirst(2 + name.count).first == UInt8(ascii: "@") else { return false }
        let end = name.endIndex + 1
        let source = self.rest[self.rest.startIndex..<end]
        self.pieces.append(
            .part(source: source, name: String(decoding: name, as: UTF8.self), index: self.index(number))
        )
        self.rest = self.rest[end...]
        return true
    }

    /// `2$`, then `02` or `.1`, then `ll`, then the specifier.
    private mutating func place(_ body: ArraySlice<UInt8>) -> Bool {
        var body = body
        let number = Self.number(&body)
        let start = body.startIndex
        body = body.dropFirst(min(2, body.prefix(while: \.isDigit).count))
        if body.first == UInt8(ascii: "."), body.dropFirst().first?.isDigit == true { body = body.dropFirst(2) }
        body = body.drop { $0 == UInt8(ascii: "l") || $0 == UInt8(ascii: "h") || $0 == UInt8(ascii: "q") }
        guard let specifier = body.first, "@dDiuUfFgGeEsS".utf8.contains(specifier) else { return false }
        let place = FormatPlace(
            index: self.index(number),
            options: self.rest[start..<body.startIndex],
            specifier: specifier
        )
        let end = body.startIndex + 1
        self.pieces.append(.place(source: self.rest[self.rest.startIndex..<end], place))
        self.rest = self.rest[end...]
        return true
    }

    private mutating func index(_ number: Int?) -> Int {
        if let number { return number }
        defer { self.next += 1 }
        return self.next
    }

    /// The number of an argument, `2$`, counted from 0.
    private static func number(_ body: inout ArraySlice<UInt8>) -> Int? {
        let digits = body.prefix(while: \.isDigit)
        guard (1...2).contains(digits.count), body.dropFirst(digits.count).first == UInt8(ascii: "$") else {
            return nil
        }
        body = body.dropFirst(digits.count + 1)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } - 1
    }
}
