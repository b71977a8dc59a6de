/// The progress of the work that a toast is about.
public enum Progress: Hashable, Sendable {
    /// A value of a total; when complete, the toast stays for `dismissAfter` if that is given.
    case determinate(value: Double, total: Double, dismissAfter: Interval? = nil)

    /// Unknown.
    case indeterminate

    /// How long the toast stays after completion; `nil` when incomplete, or without `dismissAfter`.
    var completion: Interval? {
        guard case .determinate(let value, let total, let dismissAfter) = self, value >= total else { return nil }
        return dismissAfter
    }
}

extension Progress: JSONWritable {
    /// Writes `{"value", "total", "dismissAfter"}` or `{"indeterminate": true}`.
    public func write(to writer: inout JSONWriter) { self.json.write(to: &writer) }

    /// The progress as a publisher would send it.
    var json: JSON {
        switch self {
        case .determinate(let value, let total, let dismissAfter):
            var object: JSONObject = ["value": JSON(number: value), "total": JSON(number: total)]
            object["dismissAfter"] = dismissAfter.map { JSON(number: $0.seconds) }
            return .object(object)
        case .indeterminate:
            return ["indeterminate": true]
        }
    }
}

extension Issues {
    /// A progress whose value is clamped to its total (ToastUI leaves it to chance).
    mutating func progress(_ value: JSON) -> Progress? {
        guard let object = self.object(value) else { return nil }
        self.warn(ofMembersBeside: ["value", "total", "dismissAfter", "indeterminate"], in: object)
        if object["indeterminate"] == .bool(true) { return self.indeterminate(object) }
        let number: Double? = self.member("value") { issues in
            object["value"]?.number
                ?? issues.refuse(#"A number is expected, or {"indeterminate": true} as the progress."#)
        }
        let total: Double? = self.member("total") { issues in
            guard let total = (object["total"] ?? 1).number, total > 0 else {
                return issues.refuse("A number greater than 0 is expected.")
            }
            return total
        }
        let dismissAfter = self.optional("dismissAfter", of: object, or: nil) { $0.seconds($1) }
        // Only now, so that all of them are checked.
        guard let number, let total else { return nil }
        return .determinate(value: min(max(number, 0), total), total: total, dismissAfter: dismissAfter)
    }

    /// An indeterminate progress, which has no value.
    private mutating func indeterminate(_ object: JSONObject) -> Progress? {
        // A stored progress never has both.
        guard self.limits.isRecord || object.optional("value") == nil else {
            return self.refuse("A progress that is indeterminate has no value.", at: "/value")
        }
        for name in ["total", "dismissAfter"] where object.optional(name) != nil {
            self.member(name) { $0.warn("A progress that is indeterminate has none; it is ignored.") }
        }
        return .indeterminate
    }
}

extension JSON {
    /// Whether a patch with this value keeps the kind of a progress, determinate or indeterminate.
    func isProgress(likeThatOf other: Progress) -> Bool {
        switch other {
        case .determinate: self["indeterminate"] != true
        case .indeterminate: self["value"] == nil || self["value"] == .null
        }
    }
}
