/// How toasts look beyond their style: Y-Snackbar's appearance.
///
/// Members that are not set are taken from the theme, and then from the style.
public struct Appearance: Hashable, Sendable {
    /// How a text looks.
    public struct Text: Hashable, Sendable {
        /// Its colour; also in dark mode, unless `colorDark` is set.
        public var color: Color?
        /// Its colour in dark mode.
        public var colorDark: Color?
        /// Its font.
        public var font = Font()
    }

    /// The font of a text.
    public struct Font: Hashable, Sendable {
        /// The size in points, at the default text size of the device.
        public var size: Double?
        /// The weight, as in CSS: 400 is regular, 700 bold.
        public var weight: Int?
    }

    /// The shadow, in the terms of CSS's `box-shadow`.
    public struct Elevation: Hashable, Sendable {
        /// The offset to the right.
        public var x: Double?
        /// The offset downwards.
        public var y: Double?
        /// The blur radius.
        public var blur: Double?
        /// The spread distance.
        public var spread: Double?
        /// Its colour.
        public var color: Color?
        /// Its opacity, 0 to 1, times that of its colour.
        public var opacity: Double?
    }

    /// What dims the screen behind a toast with `dimsBackground` (ToastUI).
    public struct Dimming: Hashable, Sendable {
        /// Its colour; also in dark mode, unless `colorDark` is set.
        public var color: Color?
        /// Its colour in dark mode.
        public var colorDark: Color?
        /// Its opacity, 0 to 1, times that of its colour.
        public var opacity: Double?
    }

    /// Distances within a toast.
    public struct Layout: Hashable, Sendable {
        /// The space between the content and the edges.
        public var inset: Double?
        /// The space between title and message.
        public var labelSpacing: Double?
        /// The space between the icon and the texts.
        public var iconSpacing: Double?
        /// The radius of the corners.
        public var cornerRadius: Double?
        /// The width and the height of the icon.
        public var iconSize: Double?
    }

    /// The title.
    public var title = Text()
    /// The message.
    public var message = Text()
    /// The background colour; also in dark mode, unless ``backgroundColorDark`` is set.
    public var backgroundColor: Color?
    /// The background colour in dark mode.
    public var backgroundColorDark: Color?
    /// The colour of the border; also in dark mode, unless ``borderColorDark`` is set.
    public var borderColor: Color?
    /// The colour of the border in dark mode.
    public var borderColorDark: Color?
    /// The width of the border.
    public var borderWidth: Double?
    /// The shadow.
    public var elevation = Elevation()
    /// The dimming behind the toast.
    public var dimming = Dimming()
    /// Distances.
    public var layout = Layout()
}

extension Issues {
    /// A toast's own appearance in its shortest form; `nil` when nothing is set.
    ///
    /// Unknown members are left out, because senders evolve.
    mutating func appearance(_ value: JSON) -> JSONObject? {
        // A stored appearance is read back as it is.
        guard self.limits != .none else { return self.object(value) }
        var appearance = Appearance()
        self.ignoringUnknownMembers { issues in appearance.lay(value.merged(onto: nil), &issues) }
        return appearance == Appearance() ? nil : JSON(writing: appearance).object
    }
}
