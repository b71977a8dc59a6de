/// Puts arguments into the places that a format leaves for them.
///
/// A place is `%@`, `%d`, `%lld`, `%f` and their like, in the order of the arguments or numbered as in `%2$@`; `%%` is
/// a percent sign (Apple, "String Format Specifiers"). The argument appears in its shortest form, except that `%.1f`
/// rounds a number and `%02d` fills it up with zeros. What is no place, or has no argument, stays as it stands.
enum TextFormat {
    /// The longest text that is made, in bytes; a place that would lead beyond it stays as it stands.
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
                let isTooLong = result.count + (argument?.count ?? 0) > Self.maximumBytes
                result.append(contentsOf: isTooLong ? Array(source) : argument ?? Array(source))
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The format with its parts `%#@name@` replaced; one that has no replacement stays as it stands.
    ///
    /// Places outside the parts are numbered on the way, so that the places within them do not shift those.
    static func replacingParts(of format: String, _ replacement: (String) -> String?) -> String {
        var result: [UInt8] = []
        for piece in FormatParser.pieces(of: format) {
            switch piece {
            case .literal(let text):
                // A percent sign is written twice again, because what comes out is a format.
                if text.first == UInt8(ascii: "%"), text.count == 1 { result.append(UInt8(ascii: "%")) }
                result.append(contentsOf: text)
            case .part(let source, let name, _):
                let form = replacement(name).map { Array($0.utf8) }
                let isTooLong = result.count + (form?.count ?? 0) > Self.maximumBytes
                result.append(contentsOf: isTooLong ? Array(source) : form ?? Array(source))
            case .place(_, let place):
                result.append(contentsOf: place.numbered)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The argument that the format shows first as a whole number, counted from 0.
    static func firstNumber(in format: String) -> Int? {
        for case .place(_, let place) in FormatParser.pieces(of: format) where place.isInteger { return place.index }
        return nil
    }

    /// The arguments that the parts `%#@name@` stand for when nothing else says so: their places in the order.
    static func parts(of format: String) -> [(name: String, index: Int)] {
        FormatParser.pieces(of: format).compactMap { piece in
            guard case .part(_, let name, let index) = piece else { return nil }
            return (name, index)
        }
    }
}
