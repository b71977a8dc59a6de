/// A member of a toast that its publisher writes: how it is read, compared and written.
///
/// ``all`` is the only list of them: it makes new toasts, patches, the `changed` of an update, what goes over the wire,
/// and the details that one node sends to another. `CONTRIBUTING.md` says what else a new member needs.
///
/// A class, because writing a toast walks over all of them: a struct of closures would be copied each time.
final class ToastMember: Sendable {
    let name: String

    /// Reads a value into the draft.
    ///
    /// `null` resets the member to its default; in a patch an object is merged into the draft's value (RFC 7396).
    let read: @Sendable (JSON, inout DraftReader, inout Issues) -> Void

    /// Whether two toasts have the same value.
    let isEqual: @Sendable (ToastContent, ToastContent) -> Bool

    /// Writes name and value, if the toast has one.
    let write: @Sendable (ToastContent, inout JSONWriter) -> Void

    /// Writes name and value of a detail, if the box has one; `nil` for a member that is not in ``ToastDetails``.
    let writeDetail: (@Sendable (DetailsBox, inout JSONWriter) -> Void)?

    /// Whether it is a member of ``ToastDetails``.
    var isDetail: Bool { self.writeDetail != nil }

    /// A member.
    ///
    /// - Parameters:
    ///   - name: Its name on the wire.
    ///   - set: Gives the draft a value; `nil` for `null`, and for a value in which nothing is set.
    ///   - value: What a toast has to write of it; `nil` for nothing.
    ///   - target: The value of the draft into which an object in a patch, the second parameter, is merged.
    ///   - writeDetail: Writes a member of ``ToastDetails``.
    ///   - parse: Reads a value that is not `null`; notes why, when it cannot be accepted. `nil` without a note means
    ///     that nothing is set in the value.
    init<Parsed, Value: JSONWritable & Equatable & Sendable>(
        _ name: StaticString,
        _ set: @escaping @Sendable (inout DraftReader, Parsed?) -> Void,
        _ value: @escaping @Sendable (ToastContent) -> Value?,
        mergingInto target: @escaping @Sendable (DraftReader, JSON) -> JSON? = { _, _ in nil },
        writeDetail: (@Sendable (DetailsBox, inout JSONWriter) -> Void)? = nil,
        _ parse: @escaping @Sendable (inout Issues, JSON) -> Parsed?
    ) {
        self.name = name.description
        self.writeDetail = writeDetail
        self.read = { sent, reader, issues in
            if case .null = sent { return set(&reader, nil) }
            var sent = sent
            if reader.isPatch, case .object = sent { sent = sent.merged(onto: target(reader, sent)) }
            let faults = issues.found.count
            let parsed = parse(&issues, sent)
            // A faulty value leaves the old one as it is; one in which nothing is set removes it.
            if parsed != nil || issues.found.count == faults { set(&reader, parsed) }
        }
        self.isEqual = { one, other in
            let (one, other) = (value(one), value(other))
            // `==` also holds for two spellings of one text.
            return one == other && one?.encoded == other?.encoded
        }
        self.write = { content, writer in writer.member(name, value(content)) }
    }

    /// A member of ``ToastDetails``: `set` and `target` get the details, `value` gets their box.
    ///
    /// `value` must return `nil` for an empty box, because a toast without details is written without calling it.
    convenience init<Parsed, Value: JSONWritable & Equatable & Sendable>(
        detail name: StaticString,
        _ set: @escaping @Sendable (inout ToastDetails, Parsed?) -> Void,
        _ value: @escaping @Sendable (DetailsBox) -> Value?,
        mergingInto target: @escaping @Sendable (ToastDetails, JSON) -> JSON? = { _, _ in nil },
        _ parse: @escaping @Sendable (inout Issues, JSON) -> Parsed?
    ) {
        self.init(
            name,
            { set(&$0.details, $1) },
            { value($0.box) },
            mergingInto: { target($0.details, $1) },
            writeDetail: { box, writer in writer.member(name, value(box)) },
            parse
        )
    }
}

extension ToastMember {
    /// The members that only the server writes; a patch may repeat them as they were read.
    static let writtenByServer = [
        "id", "channel", "revision", "state", "createdAt", "presentedAt", "dismissedAt", "dismissReason", "action",
        "warnings",
    ]

    /// The member of a name; `nil` when a publisher cannot write one of that name.
    static func named(_ name: String) -> ToastMember? { self.all.first { $0.name == name } }
}
