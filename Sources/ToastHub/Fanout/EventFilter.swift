package import ToastCore

/// The types of events that a stream receives.
///
/// Control frames always pass.
package struct EventFilter: Hashable, Sendable {
    /// One bit per type; the highest is never set, so that ``FrameVariant`` can use it.
    let bits: UInt16

    package static let all = Self(bits: .max >> 1)

    /// The given types, and control frames.
    package init(_ types: some Sequence<EventType>) {
        self.bits = types.reduce(0) { $0 | Self.bit($1) } | Self.control
    }

    init(bits: UInt16) {
        self.bits = bits
    }

    package func wants(_ type: EventType) -> Bool { self.bits & Self.bit(type) != 0 }

    private static let control = [EventType.snapshot, .resumed, .shutdown].reduce(0) { $0 | Self.bit($1) }

    private static func bit(_ type: EventType) -> UInt16 { 1 << UInt16(type.ordinal) }
}
