/// How toasts look beyond their style: Y-Snackbar's appearance.
///
/// What is not set, the theme decides, and what that leaves open, the style.
public struct Appearance: Hashable, Sendable {
    /// How a text looks.
    public struct Text: Hashable, Sendable {
        /// Its colour; in the dark, too, unless there is one for the dark.
        public var color: Color?
        /// Its colour in the dark.
        public var colorDark: Color?
        /// Its letters.
        public var font = Font()
    }

    /// The letters of a text.
    public struct Font: Hashable, Sendable {
        /// Their size in points, at the size of text that the person's device is set to at first.
        public var size: Double?
        /// Their weight, as in CSS: 400 is regular, 700 bold.
        public var weight: Int?
    }

    /// The shadow, in the terms of CSS's `box-shadow`.
    public struct Elevation: Hashable, Sendable {
        /// How far to the right it lies.
        public var x: Double?
        /// How far below it lies.
        public var y: Double?
        /// How far its edge runs out.
        public var blur: Double?
        /// How much larger than the toast it is.
        public var spread: Double?
        /// Its colour.
        public var color: Color?
        /// Its opacity, 0 to 1, times that of its colour.
        public var opacity: Double?
    }

    /// What dims the screen behind a toast that asks for it (ToastUI).
    public struct Dimming: Hashable, Sendable {
        /// Its colour; in the dark, too, unless there is one for the dark.
        public var color: Color?
        /// Its colour in the dark.
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
    /// What is behind the texts; in the dark, too, unless there is one for the dark.
    public var backgroundColor: Color?
    /// What is behind the texts in the dark.
    public var backgroundColorDark: Color?
    /// The edge; in the dark, too, unless there is one for the dark.
    public var borderColor: Color?
    /// The edge in the dark.
    public var borderColorDark: Color?
    /// How broad the edge is.
    public var borderWidth: Double?
    /// The shadow.
    public var elevation = Elevation()
    /// What is behind the toast, where that is dimmed.
    public var dimming = Dimming()
    /// Distances.
    public var layout = Layout()

    /// Nothing set.
    init() {}
}

extension Issues {
    /// What a toast says about its own looks, without what is not known (senders evolve) and in its shortest form.
    mutating func appearance(_ value: JSON) -> JSONObject? {
        // What was accepted before is read back as it is.
        guard self.limits != .none else { return self.object(value) }
        var appearance = Appearance()
        self.ignoringUnknownMembers { issues in appearance.lay(value.merged(onto: nil), &issues) }
        return appearance == Appearance() ? nil : JSON(writing: appearance).object
    }
}
