/// Puts arguments into the places that a format leaves for them.
///
/// A place is `%@`, `%d`, `%lld`, `%f` and their like, in the order of the arguments or numbered as in `%2$@`; `%%` is
/// a percent sign (Apple, "String Format Specifiers"). The argument appears in its shortest form, except that `%.1f`
/// rounds a number and `%02d` pads it with zeros. Everything else, and a place without an argument, is kept as it is.
enum TextFormat {
    /// The longest result, in bytes; a place whose argument would exceed it is kept as it is.
    static let maximumBytes = 16_384

    static func fill(_ format: String, with arguments: [JSON]) -> String {
        guard format.utf8.contains(UInt8(ascii: "%")) else { return format }
        var result: [UInt8] = []
        for piece in FormatParser.pieces(of: format) {
            switch piece {
            case .literal(let text):
                result.append(contentsOf: text)
            case .part(let source, _, _):
                result.append(contentsOf: source)
            case .place(let source, let place):
                let argument = arguments.indices.contains(place.index) ? place.text(of: arguments[place.index]) : nil
                Self.add(argument, or: source, to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The format with its parts `%#@name@` replaced; a part without a replacement is kept as it is.
    ///
    /// Places outside the parts are numbered, so that places in the replacements do not shift them.
    static func replacingParts(of format: String, _ replacement: (String) -> String?) -> String {
        var result: [UInt8] = []
        for piece in FormatParser.pieces(of: format) {
            switch piece {
            case .literal(let text):
                // The result is a format again, so a percent sign is doubled.
                if text.first == UInt8(ascii: "%"), text.count == 1 { result.append(UInt8(ascii: "%")) }
                result.append(contentsOf: text)
            case .part(let source, let name, _):
                Self.add(replacement(name).map { Array($0.utf8) }, or: source, to: &result)
            case .place(_, let place):
                result.append(contentsOf: place.numbered)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Adds a replacement, or the original text when there is none or the result would be too long.
    private static func add(_ replacement: [UInt8]?, or source: ArraySlice<UInt8>, to result: inout [UInt8]) {
        guard let replacement, result.count + replacement.count <= Self.maximumBytes else { return result += source }
        result += replacement
    }

    /// The argument that the format shows first as a whole number, counted from 0.
    static func firstNumber(in format: String) -> Int? {
        for case .place(_, let place) in FormatParser.pieces(of: format) where place.isInteger { return place.index }
        return nil
    }

    /// The parts `%#@name@`, and the arguments of their positions.
    static func parts(of format: String) -> [(name: String, index: Int)] {
        FormatParser.pieces(of: format).compactMap { piece in
            guard case .part(_, let name, let index) = piece else { return nil }
            return (name, index)
        }
    }
}
