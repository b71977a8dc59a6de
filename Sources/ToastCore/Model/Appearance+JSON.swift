extension Appearance: Layered {
    /// The distances that can be set.
    fileprivate static let distances = 0.0...1000

    /// The offsets that can be set.
    fileprivate static let offsets = -1000.0...1000

    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "title": self.title.lay(value, &issues)
        case "message": self.message.lay(value, &issues)
        case "backgroundColor": self.backgroundColor = issues.color(value) ?? self.backgroundColor
        case "backgroundColorDark": self.backgroundColorDark = issues.color(value) ?? self.backgroundColorDark
        case "borderColor": self.borderColor = issues.color(value) ?? self.borderColor
        case "borderColorDark": self.borderColorDark = issues.color(value) ?? self.borderColorDark
        case "borderWidth": self.borderWidth = issues.number(value, in: Self.distances) ?? self.borderWidth
        case "elevation": self.elevation.lay(value, &issues)
        case "dimming": self.dimming.lay(value, &issues)
        case "layout": self.layout.lay(value, &issues)
        default: issues.unknownMember()
        }
    }
}

extension Appearance.Text: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "color": self.color = issues.color(value) ?? self.color
        case "colorDark": self.colorDark = issues.color(value) ?? self.colorDark
        case "font": self.font.lay(value, &issues)
        default: issues.unknownMember()
        }
    }
}

extension Appearance.Font: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "size": self.size = issues.number(value, in: 1...200) ?? self.size
        case "weight": self.weight = issues.integer(value, in: 1...1000) ?? self.weight
        default: issues.unknownMember()
        }
    }
}

extension Appearance.Elevation: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "x": self.x = issues.number(value, in: Appearance.offsets) ?? self.x
        case "y": self.y = issues.number(value, in: Appearance.offsets) ?? self.y
        case "blur": self.blur = issues.number(value, in: Appearance.distances) ?? self.blur
        case "spread": self.spread = issues.number(value, in: Appearance.offsets) ?? self.spread
        case "color": self.color = issues.color(value) ?? self.color
        case "opacity": self.opacity = issues.number(value, in: 0...1) ?? self.opacity
        default: issues.unknownMember()
        }
    }
}

extension Appearance.Dimming: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "color": self.color = issues.color(value) ?? self.color
        case "colorDark": self.colorDark = issues.color(value) ?? self.colorDark
        case "opacity": self.opacity = issues.number(value, in: 0...1) ?? self.opacity
        default: issues.unknownMember()
        }
    }
}

extension Appearance.Layout: Layered {
    mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "inset": self.inset = issues.number(value, in: Appearance.distances) ?? self.inset
        case "labelSpacing": self.labelSpacing = issues.number(value, in: Appearance.distances) ?? self.labelSpacing
        case "iconSpacing": self.iconSpacing = issues.number(value, in: Appearance.distances) ?? self.iconSpacing
        case "cornerRadius": self.cornerRadius = issues.number(value, in: Appearance.distances) ?? self.cornerRadius
        case "iconSize": self.iconSize = issues.number(value, in: Appearance.distances) ?? self.iconSize
        default: issues.unknownMember()
        }
    }
}

extension Appearance: JSONWritable {
    /// Writes what is set.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.part("title", self.title)
            writer.part("message", self.message)
            writer.member("backgroundColor", self.backgroundColor)
            writer.member("backgroundColorDark", self.backgroundColorDark)
            writer.member("borderColor", self.borderColor)
            writer.member("borderColorDark", self.borderColorDark)
            writer.member("borderWidth", self.borderWidth)
            writer.part("elevation", self.elevation)
            writer.part("dimming", self.dimming)
            writer.part("layout", self.layout)
        }
    }
}

/// A part of an appearance, of which nothing may be set.
private protocol Part: Equatable {
    init()

    func writeMembers(to writer: inout JSONWriter)
}

extension JSONWriter {
    /// Writes a part if anything of it is set.
    fileprivate mutating func part(_ name: StaticString, _ part: some Part) {
        guard part != .init() else { return }
        self.member(name, object: part.writeMembers)
    }
}

extension Appearance.Text: Part {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("color", self.color)
        writer.member("colorDark", self.colorDark)
        writer.part("font", self.font)
    }
}

extension Appearance.Font: Part {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("size", self.size)
        writer.member("weight", self.weight)
    }
}

extension Appearance.Elevation: Part {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("x", self.x)
        writer.member("y", self.y)
        writer.member("blur", self.blur)
        writer.member("spread", self.spread)
        writer.member("color", self.color)
        writer.member("opacity", self.opacity)
    }
}

extension Appearance.Dimming: Part {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("color", self.color)
        writer.member("colorDark", self.colorDark)
        writer.member("opacity", self.opacity)
    }
}

extension Appearance.Layout: Part {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("inset", self.inset)
        writer.member("labelSpacing", self.labelSpacing)
        writer.member("iconSpacing", self.iconSpacing)
        writer.member("cornerRadius", self.cornerRadius)
        writer.member("iconSize", self.iconSize)
    }
}
