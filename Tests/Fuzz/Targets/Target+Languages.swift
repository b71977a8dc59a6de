@testable import ToastCore

extension FuzzTarget {
    static let languages = [
        Self("strings", checkStrings), Self("xcstrings", checkStringCatalog), Self("catalog", checkCatalog),
        Self("format", checkFormat), Self("language", checkLanguage), Self("plural", checkPlural),
    ]
}

/// Small limits, so that they are met.
private let limits = {
    var limits = CatalogLimits()
    (limits.documentBytes, limits.keys, limits.keyLength) = (4096, 16, 32)
    (limits.formatLength, limits.languages) = (64, 4)
    return limits
}()

private func read<Value>(_ body: () throws(CatalogError) -> Value) throws -> Value? {
    do throws(CatalogError) {
        return try body()
    } catch {
        try promise(!error.description.isEmpty, "a fault without words")
        switch error {
        case .invalid(let error): try checkIssues(error)
        case .line(let line, _): try promise(line >= 1, "a line that is none")
        case .notJSON(let error): try promise(error.pointer?.isPointer ?? true, "a pointer that is none")
        case .unreadable, .tooLarge: break
        }
        return nil
    }
}

/// A catalog is stored as its document and read when the server starts, so it has to come back.
private func checkAccepted(_ catalog: Catalog, _ limits: CatalogLimits) throws {
    try promise(catalog.count <= limits.keys, "too many keys")
    let again = try read { () throws(CatalogError) in try Catalog(json: catalog.encoded, limits: limits) }
    try promise(again == catalog, "another catalog when it is written and read again")
    try promise(again?.encoded == catalog.encoded, "two spellings of one catalog")
    let arguments: [JSON] = [3, "Ada", 1.5, true, -7]
    for key in catalog.keys {
        try promise((1...limits.keyLength).contains(key.unicodeScalars.count), "a key that is empty, or too long")
        guard let entry = catalog[key] else { continue }
        for language in [LanguageTag.english, .german] {
            let format = entry.format(for: arguments, in: language)
            let bound = TextFormat.maximumBytes + 32 * limits.formatLength
            try promise(format.utf8.count <= bound, "a format that grew past all limits")
            try promise(TextFormat.fill(format, with: arguments).utf8.count <= 2 * bound, "a text that grew")
        }
    }
}

private func checkStrings(_ bytes: [UInt8]) throws {
    for encoding in [nil, TextEncoding.utf16LittleEndian] {
        let catalog = try read { () throws(CatalogError) in
            try Catalog(strings: bytes, encoding: encoding, limits: limits)
        }
        if let catalog { try checkAccepted(catalog, limits) }
    }
}

private func checkStringCatalog(_ bytes: [UInt8]) throws {
    let catalogs = try read { () throws(CatalogError) in try StringCatalog(parsing: bytes, limits: limits).catalogs }
    try promise(catalogs?.count ?? 0 <= limits.languages, "too many languages")
    for catalog in (catalogs ?? [:]).values { try checkAccepted(catalog, limits) }
}

private func checkCatalog(_ bytes: [UInt8]) throws {
    let catalog = try read { () throws(CatalogError) in try Catalog(json: bytes, limits: limits) }
    if let catalog { try checkAccepted(catalog, limits) }
}

/// A format, and arguments in JSON on the lines after it: the result is bounded, and a format without places stays.
private func checkFormat(_ bytes: [UInt8]) throws {
    let format = (bytes.lines.first ?? []).text
    let arguments = bytes.lines.dropFirst().compactMap { try? JSON(parsing: $0) }
    let text = TextFormat.fill(format, with: arguments)
    try promise(text.utf8.count <= TextFormat.maximumBytes + format.utf8.count, "longer than it may be")
    if !format.utf8.contains(UInt8(ascii: "%")) { try promise(text == format, "a text that was none") }
    let pieces = FormatParser.pieces(of: format)
    try promise(pieces.count <= format.utf8.count, "more pieces than bytes")
    // Parts that are replaced by themselves leave a format that is filled alike, if there is something to fill in.
    let isFull = pieces.allSatisfy { piece in
        if case .place(_, let place) = piece { arguments.indices.contains(place.index) } else { true }
    }
    guard isFull, text.utf8.count < TextFormat.maximumBytes / 2 else { return }
    let same = TextFormat.replacingParts(of: format) { _ in nil }
    try promise(TextFormat.fill(same, with: arguments) == text, "another text behind the parts")
}

/// A tag has one spelling and ends in its language; of what a reader takes, something that is there is chosen.
private func checkLanguage(_ bytes: [UInt8]) throws {
    let text = bytes.text
    if let tag = LanguageTag(rawValue: text) {
        try promise(tag.rawValue.utf8.count <= LanguageTag.maximumLength && text.isPlain, "no tag")
        try promise(LanguageTag(rawValue: tag.rawValue) == tag, "two spellings of one language")
        try promise(tag.fallbacks.first == tag && tag.fallbacks.count <= 20, "fallbacks without the tag itself")
        for fallback in tag.fallbacks {
            try promise(LanguageTag(rawValue: fallback.rawValue) == fallback, "a fallback that is no tag")
        }
    }
    let field = AcceptLanguage(text)
    try promise(field.ranges.count <= AcceptLanguage.maximumRanges, "too many ranges")
    try promise(field.ranges.allSatisfy { (0...1000).contains($0.quality) }, "a quality out of bounds")
    try promise(
        zip(field.ranges, field.ranges.dropFirst()).allSatisfy { $0.quality >= $1.quality },
        "ranges out of order"
    )
    let best = Lexicon.builtIn.bestMatch(acceptLanguage: text)
    try promise(Lexicon.builtInCatalogs[best] != nil, "a language that is not there")
}

/// Whatever the number and the language, there is one category, and the sign does not matter.
private func checkPlural(_ bytes: [UInt8]) throws {
    guard bytes.count >= 11 else { return }
    let bits = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let language = LanguageTag(rawValue: Array(bytes[8...]).text) else { return }
    let (integer, double) = (Int64(bitPattern: bits), Double(bitPattern: bits))
    let whole = PluralRules.category(of: PluralOperands(integer: integer), in: language)
    if integer != .min {
        let negative = PluralRules.category(of: PluralOperands(integer: -integer), in: language)
        try promise(whole == negative, "the sign of a number counts")
    }
    if integer.magnitude < 1 << 53 {
        let same = PluralRules.category(of: PluralOperands(number: Double(integer)), in: language)
        try promise(whole == same, "the spelling of a number counts")
    }
    guard double.isFinite else { return }
    let category = PluralRules.category(of: PluralOperands(number: double), in: language)
    let negative = PluralRules.category(of: PluralOperands(number: -double), in: language)
    try promise(category == negative, "the sign of a number counts")
}
