/// All that a value is made of, also what `==` leaves out, such as the rendering of a text.
func exact(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty else { return String(reflecting: value) }
    var parts = mirror.children.map { "\($0.label ?? ""): \(exact($0.value))" }
    if mirror.displayStyle == .set || mirror.displayStyle == .dictionary { parts.sort() }
    return "\(type(of: value))(\(parts.joined(separator: ", ")))"
}
