extension Color {
    /// A mixture of light: red (`x`), green (`y`) and blue (`z`) from 0 to 1, as a screen shows them.
    private typealias Light = SIMD3<Double>

    /// The contrast of this colour on a background, from 1 to 21 (WCAG 2.2, "contrast ratio").
    ///
    /// Translucent colours show what is behind them: this colour the background, and the background the page. The page
    /// is unknown here; it is assumed to be white in the light scheme and black in the dark. Colours are mixed as in
    /// browsers, in encoded sRGB (Compositing and Blending Level 1, "source over").
    public func contrast(on background: Color, over page: Color) -> Double {
        let behind = background.over(page.light)
        let (first, second) = (Self.luminance(self.over(behind)), Self.luminance(behind))
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private var light: Light { Light(Double(self.red), Double(self.green), Double(self.blue)) / 255 }

    private func over(_ behind: Light) -> Light {
        let opacity = Double(self.opacity) / 255
        return self.light * opacity + behind * (1 - opacity)
    }

    /// The relative luminance, from 0 for black to 1 for white (WCAG 2.2).
    private static func luminance(_ light: Light) -> Double {
        func linear(_ part: Double) -> Double {
            guard part > 0.04045 else { return part / 12.92 }
            let base = (part + 0.055) / 1.055
            return base * base * (base * base).fifthRoot
        }
        return 0.2126 * linear(light.x) + 0.7152 * linear(light.y) + 0.0722 * linear(light.z)
    }
}

extension Double {
    /// The fifth root of a number from 0.008 to 1, by Newton's method.
    ///
    /// x²·⁴ is x² times the fifth root of x². ToastCore imports no C library, so it has no `pow`.
    fileprivate var fifthRoot: Double {
        var root = 1.0
        for _ in 0..<16 { root = (4 * root + self / (root * root * root * root)) / 5 }
        return root
    }
}
