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
        ignored.ignoringUnknownMembers { issues in merged.lay(own, as: .appearance, &issues) }
        let theme = self.effective.theme
        let paints = AppearancePaints(appearance: merged, theme: { Paint(color: theme.resolved($0)) }) { path in
            own.pointer(path).map { "/appearance" + $0 }
        }
        return ColorScheme.allCases.flatMap(paints.warnings)
    }

    private static func themeWarnings(in scheme: ColorScheme, _ paint: (Theme.Key) -> Paint) -> [Warning] {
        let background = paint(scheme.background)
        let texts = scheme.texts.compactMap { name, key in
            paint(key).warning(on: background, name, in: scheme, isText: true)
        }
        let signs = Role.allCases.compactMap { role in
            paint(Theme.Key(role)).warning(on: background, "sign of \(role.rawValue)", in: scheme, isText: false)
        }
        return texts + signs
    }
}

/// The colours of an appearance, with the theme's for what it leaves open.
private struct AppearancePaints {
    let appearance: JSONObject
    let theme: (Theme.Key) -> Paint
    let pointer: ([String]) -> String?

    func warnings(in scheme: ColorScheme) -> [Warning] {
        let background = self.paint([], "backgroundColor", scheme)
        return scheme.texts.compactMap { name, key in
            let paint = self.paint([name], "color", scheme)
            // A pair of the theme's colours only is checked with the theme.
            guard paint != nil || background != nil else { return nil }
            return (paint ?? self.theme(key)).warning(
                on: background ?? self.theme(scheme.background),
                name,
                in: scheme,
                isText: true
            )
        }
    }

    /// A colour of the appearance, or of a group of it: in dark mode `…Dark` if it is set; `nil` when none is set.
    private func paint(_ path: [String], _ name: String, _ scheme: ColorScheme) -> Paint? {
        let group = path.reduce(JSON.object(self.appearance)) { $0[$1] ?? .null }
        let names = scheme == .dark ? [name + "Dark", name] : [name]
        for name in names {
            guard let color = group[name]?.string.flatMap(Color.init(hex:)) else { continue }
            return Paint(color: color, pointer: self.pointer(path + [name]))
        }
        return nil
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
