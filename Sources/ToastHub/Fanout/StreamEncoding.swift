package import MicroHTTP
package import ToastCore

/// How clients of another system get events, in place of envelopes with cursors.
///
/// A stream with an encoding has frames of its own, so it does not share those of the others.
package struct StreamEncoding: Sendable {
    /// Makes the frame of an event from its envelope; nil for an event that its client does not get.
    let frame: @Sendable (_ type: EventType, _ envelope: [UInt8]) -> Frame?

    /// Makes the frame that is sent now and then, so that neither side takes the connection for lost.
    let keepAlive: @Sendable () -> Frame

    package init(
        frame: @escaping @Sendable (_ type: EventType, _ envelope: [UInt8]) -> Frame?,
        keepAlive: @escaping @Sendable () -> Frame
    ) {
        self.frame = frame
        self.keepAlive = keepAlive
    }
}
