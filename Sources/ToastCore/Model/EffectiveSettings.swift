/// What holds for a channel: its own settings, and the server's for the rest.
public struct EffectiveSettings: Hashable, Sendable {
    /// The order of toasts.
    public let mode: QueueMode

    /// The look of toasts that name none.
    public let style: StyleName

    /// The place of toasts that name none.
    public let placement: Placement

    /// The duration of toasts that name none.
    public let duration: ToastDuration

    /// The haptic of toasts that name none.
    public let haptic: Haptic

    /// What happens while nobody is attached.
    public let whenUnattended: WhenUnattended

    /// How many toasts may wait.
    public let capacity: Int

    /// How long toasts that do not say so may wait; `nil` for as long as it takes.
    public let expiresAfter: Interval?

    /// The preset `toastd`: NoticeUI's looks and timing, and six seconds to read, as Toaster has it
    /// for WCAG 2.2.1.
    init(_ own: Settings) {
        self.mode = own.mode ?? .fifo
        self.style = own.style ?? .glass
        self.placement = own.placement ?? .top
        self.duration = own.duration ?? .finite(Interval(seconds: 6))
        self.haptic = own.haptic ?? .automatic
        self.whenUnattended = own.whenUnattended ?? .hold
        self.capacity = own.capacity ?? 1000
        self.expiresAfter = own.expiresAfter
    }
}

extension EffectiveSettings: JSONWritable {
    /// Writes all settings; `expiresAfter` is `null` when nothing expires.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("mode", self.mode)
            writer.member("style", self.style)
            writer.member("placement", self.placement)
            writer.member("duration", self.duration)
            writer.member("haptic", self.haptic)
            writer.member("whenUnattended", self.whenUnattended)
            writer.member("capacity", self.capacity)
            writer.name("expiresAfter")
            if let expiresAfter = self.expiresAfter { writer.value(expiresAfter) } else { writer.null() }
        }
    }
}
