extension ViewerSetting {
    /// A distance in points.
    static let distance = Self.number(in: 0...1000)

    private static let offset = Self.number(in: -1000...1000)
    private static let opacity = Self.number(in: 0...1)

    private static let text = Self.group([
        "color": .color, "colorDark": .color,
        "font": .group([
            "size": .number(in: 1...200),
            "weight": .value { $0.integer($1, in: 1...1000).map { JSON.integer(Int64($0)) } },
        ]),
    ])

    /// How toasts look beyond their style: Y-Snackbar's appearance.
    ///
    /// Members that are not set are taken from the theme, and then from the style. A colour also applies in dark mode,
    /// unless there is one for it; an opacity is times that of its colour.
    static let appearance = Self.group([
        "title": .text, "message": .text,
        "backgroundColor": .color, "backgroundColorDark": .color, "borderColor": .color, "borderColorDark": .color,
        "borderWidth": .distance,
        // In the terms of CSS's `box-shadow`.
        "elevation": .group([
            "x": .offset, "y": .offset, "blur": .distance, "spread": .offset, "color": .color, "opacity": .opacity,
        ]),
        // Behind a toast with `dimsBackground` (ToastUI).
        "dimming": .group(["color": .color, "colorDark": .color, "opacity": .opacity]),
        "layout": .group([
            "inset": .distance, "labelSpacing": .distance, "iconSpacing": .distance, "cornerRadius": .distance,
            "iconSize": .distance,
        ]),
    ])
}

extension Issues {
    /// A toast's own appearance in its shortest form; `nil` when nothing is set.
    ///
    /// Unknown members are left out, because senders evolve.
    mutating func appearance(_ value: JSON) -> JSONObject? {
        // A stored appearance is read back as it is.
        guard self.limits != .none else { return self.object(value) }
        var appearance = JSONObject()
        self.ignoringUnknownMembers { issues in appearance.lay(value.merged(onto: nil), as: .appearance, &issues) }
        return appearance.isEmpty ? nil : appearance
    }
}
