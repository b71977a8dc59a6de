/// Reads the values of a document, and collects what is wrong with them.
///
/// Each reader notes why and returns `nil` when it cannot accept a value. Pointers are built from the inside out, and
/// only when there is an issue, so they cost nothing for a valid document.
package struct Issues {
    let limits: Limits
    private(set) var found: [ValidationIssue] = []
    /// What is accepted but ignored.
    private(set) var warnings: [Warning] = []
    private var ignoresUnknownMembers = false
    private var looksAtNamesOnly = false

    /// The issues of a document that is read within limits: none yet.
    package init(limits: Limits) {
        self.limits = limits
    }

    /// Ends the reading of a document; throws the issues that were found.
    package func check() throws(ValidationError) {
        guard self.found.isEmpty else { throw ValidationError(issues: self.found) }
    }

    /// Notes an issue of the value that is being read, or of a member of it.
    ///
    /// The list is bounded: further issues are left out.
    package mutating func note(_ detail: String, at pointer: String = "", past limit: ExceededLimit? = nil) {
        guard !self.looksAtNamesOnly else { return }
        self.append(ValidationIssue(pointer: pointer, detail: detail, past: limit))
    }

    private mutating func append(_ issue: ValidationIssue) {
        guard self.found.count < ValidationError.maximumIssues else { return }
        self.found.append(issue)
    }

    mutating func refuse<Value>(_ detail: String, at pointer: String = "", past limit: ExceededLimit? = nil) -> Value? {
        self.note(detail, at: pointer, past: limit)
        return nil
    }

    /// The most code points of a name that a pointer has: more than any valid name.
    private static let longestToken = 1024

    /// Reads a member: issues that the body notes are issues of that member.
    package mutating func member<Result>(
        _ token: @autoclosure () -> String,
        _ body: (inout Self) -> Result
    ) -> Result {
        let (count, warnings) = (self.found.count, self.warnings.count)
        let result = body(&self)
        guard self.found.count > count || self.warnings.count > warnings else { return result }
        // The pointer of each issue repeats the name.
        let prefix = "/" + String(token().unicodeScalars.prefix(Self.longestToken)).escapedForPointer
        for index in count..<self.found.count { self.found[index] = self.found[index].inside(prefix) }
        for index in warnings..<self.warnings.count { self.warnings[index] = self.warnings[index].inside(prefix) }
        return result
    }

    /// Reads a member of an object that must be there; a missing one is read as `null`.
    package mutating func member<Value>(
        _ name: String,
        of object: JSONObject,
        _ read: (inout Self, JSON) -> Value
    ) -> Value {
        self.member(name) { issues in read(&issues, object[name] ?? .null) }
    }

    /// Reads a member of an object; returns `standard` when it is missing or `null`.
    package mutating func optional<Value>(
        _ name: String,
        of object: JSONObject,
        or standard: Value,
        _ read: (inout Self, JSON) -> Value
    ) -> Value {
        guard let value = object.optional(name) else { return standard }
        return self.member(name) { issues in read(&issues, value) }
    }
}

extension Issues {
    /// Warns that the value being read is ignored, unless a stored document is read back.
    ///
    /// The list is bounded.
    mutating func warn(_ detail: String) {
        guard !self.limits.isRecord, self.warnings.count < ValidationError.maximumIssues else { return }
        self.warnings.append(Warning(pointer: "", detail: detail))
    }

    /// Warns of the members of an object that have none of these names.
    mutating func warn(ofMembersBeside names: [String], in object: JSONObject) {
        for (name, _) in object where !names.contains(name) { self.member(name) { $0.warnOfUnknownMember() } }
    }

    /// Warns that there is no member of the name that is being read.
    mutating func warnOfUnknownMember() { self.warn("There is no such member; it is ignored.") }

    /// Notes that there is no member of the name that is being read, or warns where unknown members are ignored.
    mutating func unknownMember() {
        guard !self.ignoresUnknownMembers else { return self.warnOfUnknownMember() }
        self.append(ValidationIssue(pointer: "", detail: "There is no such setting."))
    }

    /// Notes the unknown names in a document that were not noted yet, whatever their values are.
    mutating func noteUnknownNames(_ read: (inout Self) -> Void) {
        var names = Self(limits: self.limits)
        names.looksAtNamesOnly = true
        read(&names)
        for issue in names.found where !self.found.contains(issue) { self.append(issue) }
    }

    /// Reads a value that may have members unknown to this version.
    mutating func ignoringUnknownMembers(_ body: (inout Self) -> Void) {
        let ignored = self.ignoresUnknownMembers
        self.ignoresUnknownMembers = true
        body(&self)
        self.ignoresUnknownMembers = ignored
    }

    package mutating func object(_ value: JSON) -> JSONObject? {
        value.object ?? self.refuse("An object is expected.")
    }

    mutating func array(_ value: JSON) -> [JSON]? {
        value.array ?? self.refuse("An array is expected.")
    }

    mutating func bool(_ value: JSON) -> Bool? {
        value.bool ?? self.refuse("True or false is expected.")
    }

    /// A text of at most `limit` code points; never empty unless that is allowed.
    mutating func text(_ value: JSON, limit: Int, mayBeEmpty: Bool = false) -> String? {
        guard let text = value.string else { return self.refuse("A string is expected.") }
        guard mayBeEmpty || !text.isEmpty else { return self.refuse("The string must not be empty.") }
        guard text.hasAtMost(limit) else {
            return self.refuse("The string is longer than \(limit) characters.", past: .text)
        }
        return text
    }

    package mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ value: JSON,
        _: Choice.Type,
        in choices: [Choice] = Array(Choice.allCases)
    ) -> Choice? {
        if let name = value.string, let choice = choices.first(where: { $0.rawValue == name }) { return choice }
        let names = choices.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        return self.refuse("One of \(names) is expected.")
    }

    /// A length of time in seconds, rounded to milliseconds; only zero becomes zero.
    mutating func seconds(_ value: JSON) -> Interval? {
        guard let seconds = value.number else { return self.refuse("A number of seconds is expected.") }
        guard seconds >= 0, seconds <= self.limits.longest.seconds else {
            return self.refuse("The seconds must lie between 0 and \(Int(self.limits.longest.seconds)).")
        }
        let milliseconds = (seconds * 1000).rounded()
        return Interval(milliseconds: seconds > 0 ? max(1, Int64(milliseconds)) : 0)
    }

    /// An instant as RFC 3339 writes it, cut to milliseconds.
    mutating func instant(_ value: JSON) -> Instant? {
        value.string.flatMap { Instant(rfc3339: $0) }
            ?? self.refuse("A date and time as RFC 3339 writes it is expected.")
    }

    mutating func number(_ value: JSON, in range: ClosedRange<Double>) -> Double? {
        guard let number = value.number, range.contains(number) else {
            let (least, greatest) = (JSON(number: range.lowerBound).text, JSON(number: range.upperBound).text)
            return self.refuse("A number from \(least) to \(greatest) is expected.")
        }
        return number
    }

    /// A length of time in seconds within a range, rounded to milliseconds.
    mutating func length(_ value: JSON, in range: ClosedRange<Double>) -> Interval? {
        self.number(value, in: range).map { Interval(milliseconds: Int64(($0 * 1000).rounded())) }
    }

    /// A number without a fraction within a range.
    mutating func integer(_ value: JSON, in range: ClosedRange<Int>) -> Int? {
        guard let number = value.integer, let integer = Int(exactly: number), range.contains(integer) else {
            return self.refuse("A whole number from \(range.lowerBound) to \(range.upperBound) is expected.")
        }
        return integer
    }
}
