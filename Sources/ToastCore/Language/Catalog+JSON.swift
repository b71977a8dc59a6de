extension Catalog: JSONWritable {
    /// Reads the flat form in UTF-8: an object with a format, or an object of plural forms, for each key.
    ///
    /// ```json
    /// {"greeting": "Hello, %@", "files": {"one": "%d file", "other": "%d files"}}
    /// ```
    ///
    /// Plural forms may name their `argument`, counted from 1. What depends on several numbers has a `format` with
    /// `parts`: `{"format": "%#@files@ in %#@folders@", "parts": {"files": {"argument": 1, "one": …}}}`.
    ///
    /// - Throws: Everything that is wrong with it.
    public init(json bytes: [UInt8], limits: CatalogLimits = .standard) throws(CatalogError) {
        let json = try JSON(catalog: bytes, limits)
        var issues = limits.issues
        var entries: [String: CatalogEntry] = [:]
        if let object = issues.object(json), issues.count(object.count, limits) {
            for (key, value) in object {
                issues.member(key) { issues in
                    guard issues.key(key, limits), let entry = issues.entry(value) else { return }
                    // Two spellings of one key are one key of the dictionary.
                    if entries.updateValue(entry, forKey: key) != nil { issues.note("The key was there before.") }
                }
            }
        }
        do throws(ValidationError) { try issues.check() } catch { throw .invalid(error) }
        self.init(entries)
    }

    /// Writes the flat form in the order of the keys; reading it back gives an equal catalog.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for key in self.keys { writer.member(named: key, self[key]) }
        }
    }
}

extension CatalogEntry: JSONWritable {
    /// Writes a format as a string, anything else as an object.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .format(let format):
            writer.string(format)
        case .plural(let forms):
            forms.write(to: &writer)
        case .substituted(let format, let parts):
            writer.object { writer in
                writer.member("format", format)
                writer.object("parts") { writer in
                    for (name, forms) in parts.sorted(by: { $0.key < $1.key }) { writer.member(named: name, forms) }
                }
            }
        }
    }
}

extension PluralForms: JSONWritable {
    /// Writes an object of the forms, and of the argument if it is named.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("argument", self.argument.map { $0 + 1 })
            for category in PluralCategory.allCases { writer.member(named: category.rawValue, self[category]) }
        }
    }
}

extension Issues {
    /// Whether so many keys are allowed.
    mutating func count(_ count: Int, _ limits: CatalogLimits) -> Bool {
        if count > limits.keys { self.note("A catalog has at most \(limits.keys) keys.", past: .catalog) }
        return count <= limits.keys
    }

    /// Whether a text may be a key.
    mutating func key(_ key: String, _ limits: CatalogLimits) -> Bool {
        if !key.isEmpty, key.hasAtMost(limits.keyLength) { return true }
        self.note("A key has 1 to \(limits.keyLength) characters.")
        return false
    }

    fileprivate mutating func entry(_ value: JSON) -> CatalogEntry? {
        guard let object = value.object else {
            guard value.string != nil else { return self.refuse("A string or an object of plural forms is expected.") }
            return self.format(value).map(CatalogEntry.format)
        }
        guard object["format"] != nil || object["parts"] != nil else {
            return self.countedForms(object).map(CatalogEntry.plural)
        }
        for (name, _) in object where name != "format" && name != "parts" {
            self.note("There is no such member.", at: "/" + name.escapedForPointer)
        }
        let format = self.member("format", of: object) { $0.format($1) }
        let parts = self.member("parts", of: object) { issues, value in
            issues.parts(value) { issues, _, value in issues.object(value).flatMap { issues.countedForms($0) } }
        }
        guard let format, let parts else { return nil }
        return self.substituted(format, parts)
    }

    mutating func format(_ value: JSON) -> String? {
        self.text(value, limit: self.limits.textLength, mayBeEmpty: true)
    }

    /// A format with the parts that it names; parts without an argument get the one of their position.
    mutating func substituted(_ format: String, _ parts: [String: PluralForms]) -> CatalogEntry? {
        var numbered: [String: PluralForms] = [:]
        for (name, index) in TextFormat.parts(of: format) {
            guard let forms = parts[name] else { return self.refuse("The format names a part that is missing.") }
            let argument = forms.argument ?? index
            guard (0..<self.limits.arguments).contains(argument) else {
                return self.refuse("The format counts a part by an argument that no text has.")
            }
            numbered[name] = forms.choosing(by: argument)
        }
        return .substituted(format: format, parts: numbered)
    }

    /// The parts of a format by their names; `nil` when one of them is invalid.
    mutating func parts(
        _ value: JSON,
        _ read: (inout Self, _ name: String, _ value: JSON) -> PluralForms?
    ) -> [String: PluralForms]? {
        guard let object = self.object(value) else { return nil }
        var parts: [String: PluralForms] = [:]
        for (name, value) in object {
            self.member(name) { issues in
                guard let forms = read(&issues, name, value) else { return }
                if parts.updateValue(forms, forKey: name) != nil { issues.note("The part was there before.") }
            }
        }
        return parts.count == object.count ? parts : nil
    }

    /// Plural forms, perhaps with the argument that they count.
    private mutating func countedForms(_ object: JSONObject) -> PluralForms? {
        var object = object
        var argument: Int?
        if let value = object["argument"] {
            argument = self.member("argument") { issues in
                issues.integer(value, in: 1...issues.limits.arguments).map { $0 - 1 }
            }
            object["argument"] = nil
        }
        return self.forms(object, argument) { $0.format($1) }
    }

    /// Plural forms, each as a closure reads it.
    mutating func forms(
        _ object: JSONObject,
        _ argument: Int? = nil,
        _ read: (inout Self, JSON) -> String?
    ) -> PluralForms? {
        var forms: [PluralCategory: String] = [:]
        for (name, value) in object {
            self.member(name) { issues in
                guard let category = PluralCategory(rawValue: name) else {
                    return issues.note("One of zero, one, two, few, many, other is expected.")
                }
                forms[category] = read(&issues, value)
            }
        }
        guard object["other"] != nil else { return self.refuse("The form for other is missing.") }
        return PluralForms(forms, argument: argument)
    }
}
