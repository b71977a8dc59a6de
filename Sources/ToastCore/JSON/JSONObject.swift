/// The members of a JSON object, in the order in which they were written.
///
/// Objects of this service are small, so looking a member up walks over them. Two objects are equal when they
/// have equal members in the same order. No two members share a name.
public struct JSONObject: Hashable, Sendable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
    private struct Member: Hashable {
        let name: String
        var value: JSON

        static func == (one: Self, other: Self) -> Bool {
            one.name.hasSameBytes(as: other.name) && one.value == other.value
        }
    }

    private var members: [Member] = []

    /// An object without members.
    public init() {}

    /// An object of members in order; of two with one name the later counts.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// The position of the first member.
    public var startIndex: Int { 0 }

    /// The position after the last member.
    public var endIndex: Int { self.members.count }

    /// The member at a position.
    public subscript(position: Int) -> (key: String, value: JSON) {
        (self.members[position].name, self.members[position].value)
    }

    /// The value of a member; setting `nil` removes the member, setting a new one adds it at the end.
    public subscript(name: String) -> JSON? {
        get {
            for member in self.members where member.name.hasSameBytes(as: name) { return member.value }
            return nil
        }
        set {
            let index = self.members.firstIndex { $0.name.hasSameBytes(as: name) }
            switch (index, newValue) {
            case (let index?, let value?): self.members[index].value = value
            case (let index?, nil): self.members.remove(at: index)
            case (nil, let value?): self.members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a member without checking that it is new: the caller has checked.
    mutating func append(_ name: String, _ value: JSON) {
        if self.members.isEmpty { self.members.reserveCapacity(8) }
        self.members.append(Member(name: name, value: value))
    }
}

extension JSONObject {
    /// The value of a member that is neither missing nor `null`.
    func optional(_ name: String) -> JSON? {
        self[name].flatMap { $0 == .null ? nil : $0 }
    }
}
