extension Settings {
    /// Warnings about pairs of colours with too little contrast.
    ///
    /// Checked are the theme's texts and signs on its backgrounds, and the appearance's texts on its backgrounds.
    /// Colours that are not set are taken from the theme, which has a default for each. Pairs of which the channel
    /// itself sets neither colour are not checked.
    public var warnings: [Warning] {
        let own = JSON.object(self.members)
        // Most channels have no colours.
        guard own["theme"] != nil || own["appearance"] != nil else { return [] }
        let theme = self.effective.theme
        func paint(_ key: Theme.Key) -> Paint {
            Paint(color: theme.resolved(key), pointer: own.pointer(["theme", key.rawValue]))
        }
        let appearance = AppearancePaints(appearance: self.effective.appearance, theme: paint) { path in
            own.pointer(["appearance"] + path)
        }
        return ColorScheme.allCases.flatMap { Self.themeWarnings(in: $0, paint) + appearance.warnings(in: $0) }
    }

    /// Warnings about pairs of colours with too little contrast that a toast's own appearance makes under these
    /// settings; their pointers lead from the toast.
    public func warnings(of appearance: JSONObject) -> [Warning] {
        let own = JSON.object(appearance)
        var merged = self.effective.appearance
        var ignored = Issues(limits: .standard)
        ignored.ignoringUnknownMembers { issues in merged.lay(own, &issues) }
        let theme = self.effective.theme
        let paints = AppearancePaints(appearance: merged, theme: { Paint(color: theme.resolved($0)) }) { path in
            own.pointer(path).map { "/appearance" + $0 }
        }
        return ColorScheme.allCases.flatMap(paints.warnings)
    }

    private static func themeWarnings(in scheme: ColorScheme, _ paint: (Theme.Key) -> Paint) -> [Warning] {
        let isLight = scheme == .light
        let background = paint(isLight ? .background : .backgroundDark)
        let texts: [(String, Theme.Key)] = [
            ("title", isLight ? .textColor : .textColorDark), ("message", isLight ? .subtextColor : .subtextColorDark),
        ]
        let signs = Role.allCases.map { ("sign of \($0.rawValue)", Theme.Key($0)) }
        return texts.compactMap { paint($0.1).warning(on: background, $0.0, in: scheme, isText: true) }
            + signs.compactMap { paint($0.1).warning(on: background, $0.0, in: scheme, isText: false) }
    }
}

/// The colours of an appearance, with the theme's for what it leaves open.
private struct AppearancePaints {
    let appearance: Appearance
    let theme: (Theme.Key) -> Paint
    let pointer: ([String]) -> String?

    func warnings(in scheme: ColorScheme) -> [Warning] {
        let isLight = scheme == .light
        let background = self.paint(
            ([], "backgroundColor"),
            self.appearance.backgroundColor,
            self.appearance.backgroundColorDark,
            scheme
        )
        let texts = [
            ("title", self.appearance.title, isLight ? Theme.Key.textColor : .textColorDark),
            ("message", self.appearance.message, isLight ? .subtextColor : .subtextColorDark),
        ]
        return texts.compactMap { name, text, key in
            let paint = self.paint(([name], "color"), text.color, text.colorDark, scheme)
            // A pair of the theme's colours only is checked with the theme.
            guard paint != nil || background != nil else { return nil }
            return (paint ?? self.theme(key)).warning(
                on: background ?? self.theme(isLight ? .background : .backgroundDark),
                name,
                in: scheme,
                isText: true
            )
        }
    }

    /// A colour of the appearance: in dark mode `dark` if it is set, else `color`; `nil` when neither is set.
    private func paint(
        _ member: (path: [String], name: String),
        _ color: Color?,
        _ dark: Color?,
        _ scheme: ColorScheme
    ) -> Paint? {
        if scheme == .dark, let dark {
            return Paint(color: dark, pointer: self.pointer(member.path + [member.name + "Dark"]))
        }
        return color.map { Paint(color: $0, pointer: self.pointer(member.path + [member.name])) }
    }
}

extension JSON {
    /// The JSON Pointer to a member, if there is one; the names need no escapes.
    fileprivate func pointer(_ path: [String]) -> String? {
        var value: JSON? = self
        for name in path { value = value?.object?[name] }
        return value == nil ? nil : path.reduce("") { $0 + "/" + $1 }
    }
}
