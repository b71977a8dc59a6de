extension Appearance: SettingGroup, JSONWritable {
    /// The distances that can be set.
    private static let distances = 0.0...1000

    /// The offsets that can be set.
    private static let offsets = -1000.0...1000

    static let members: [SettingMember<Self>] = [
        .group("title", \.title, unless: Text()), .group("message", \.message, unless: Text()),
        .color("backgroundColor", \.backgroundColor), .color("backgroundColorDark", \.backgroundColorDark),
        .color("borderColor", \.borderColor), .color("borderColorDark", \.borderColorDark),
        .number("borderWidth", \.borderWidth, in: Self.distances),
        .group("elevation", \.elevation, unless: Elevation()), .group("dimming", \.dimming, unless: Dimming()),
        .group("layout", \.layout, unless: Layout()),
    ]

    /// Writes the members that are set.
    public func write(to writer: inout JSONWriter) { self.writeMembers(to: &writer) }
}

extension Appearance.Text: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .color("color", \.color), .color("colorDark", \.colorDark),
        .group("font", \.font, unless: Appearance.Font()),
    ]
}

extension Appearance.Font: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .number("size", \.size, in: 1...200),
        .optional("weight", \.weight) { $0.integer($1, in: 1...1000) },
    ]
}

extension Appearance.Elevation: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .number("x", \.x, in: Appearance.offsets), .number("y", \.y, in: Appearance.offsets),
        .number("blur", \.blur, in: Appearance.distances), .number("spread", \.spread, in: Appearance.offsets),
        .color("color", \.color), .number("opacity", \.opacity, in: 0...1),
    ]
}

extension Appearance.Dimming: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .color("color", \.color), .color("colorDark", \.colorDark), .number("opacity", \.opacity, in: 0...1),
    ]
}

extension Appearance.Layout: SettingGroup {
    static let members: [SettingMember<Self>] = [
        .number("inset", \.inset, in: Appearance.distances),
        .number("labelSpacing", \.labelSpacing, in: Appearance.distances),
        .number("iconSpacing", \.iconSpacing, in: Appearance.distances),
        .number("cornerRadius", \.cornerRadius, in: Appearance.distances),
        .number("iconSize", \.iconSize, in: Appearance.distances),
    ]
}
