/// Puts arguments into the places that a format leaves for them.
///
/// A place is `%@`, `%d`, `%lld`, `%f` and their like, in the order of the arguments or numbered as in `%2$@`; `%%` is
/// a percent sign (Apple, "String Format Specifiers"). Whatever the specifier says, the argument appears in
/// its shortest form. What is no place, or has no argument, stays as it stands.
enum TextFormat {
    static func fill(_ format: String, with arguments: [JSON]) -> String {
        guard !arguments.isEmpty || format.utf8.contains(UInt8(ascii: "%")) else { return format }
        var result: [UInt8] = []
        var rest = Array(format.utf8)[...]
        var next = 0
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let place = Self.place(in: rest) else {
                result.append(byte)
                continue
            }
            guard place != .percent else {
                result.append(byte)
                rest = rest.dropFirst()
                continue
            }
            guard case .argument(let number, let length) = place else { continue }
            let index = number ?? next
            if number == nil { next += 1 }
            guard arguments.indices.contains(index) else {
                result.append(byte)
                continue
            }
            result.append(contentsOf: Self.plain(arguments[index]))
            rest = rest.dropFirst(length)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private enum Place: Equatable {
        case percent
        /// A place for an argument: its index if it is numbered, and the bytes behind the percent sign.
        case argument(index: Int?, length: Int)
    }

    /// What stands behind a percent sign; `nil` when it is nothing special.
    private static func place(in rest: ArraySlice<UInt8>) -> Place? {
        guard rest.first != UInt8(ascii: "%") else { return .percent }
        var body = rest
        var index: Int?
        let digits = body.prefix(while: \.isDigit)
        if (1...2).contains(digits.count), body.dropFirst(digits.count).first == UInt8(ascii: "$") {
            index = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } - 1
            body = body.dropFirst(digits.count + 1)
        }
        body = body.drop { $0 == UInt8(ascii: "l") || $0 == UInt8(ascii: "h") || $0 == UInt8(ascii: "q") }
        guard let specifier = body.first, "@dDiuUfFgGeEsS".utf8.contains(specifier) else { return nil }
        return .argument(index: index, length: body.startIndex - rest.startIndex + 1)
    }

    private static func plain(_ argument: JSON) -> [UInt8] {
        if case .string(let text) = argument { Array(text.utf8) } else { argument.bytes }
    }
}
