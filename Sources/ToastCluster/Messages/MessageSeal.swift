package import Sealing
import ToastCore
import ToastHub

/// Seals messages that hold secrets, so that other users of the bus cannot read the secrets.
///
/// A sealed message is a message of its own kind whose only run is another message, encrypted and authenticated with a
/// key that is derived from the cluster's. A node that does not know the kind refuses the message, like one of a later
/// version. Another way of sealing needs another kind.
package struct MessageSeal: Sendable {
    private let sealer: Sealer

    /// Authenticated with each message, so that nothing sealed for another use of the key opens as one.
    private static let context = "1"

    /// A seal with the key of the cluster.
    package init(key: ClusterKey) {
        self.sealer = key.sealer(for: .messages)
    }

    /// The bytes of a message, sealed.
    package func seal(_ message: [UInt8]) -> [UInt8] {
        MessageParts.bytes(.sealed, runs: [self.sealer.seal(message, for: Self.context)]) { _ in }
    }

    func open(_ parts: MessageParts) throws(MessageError) -> ClusterMessage {
        guard let message = self.sealer.open(try parts.onlyRun(), for: Self.context) else {
            throw .malformed("The message was sealed with another cluster key.")
        }
        // Without the seal, so that a sealed message inside is refused, and no sender can choose the depth.
        return try ClusterMessage.decode(message)
    }
}

extension ChannelReply {
    /// The bytes of the message; sealed if it holds secrets.
    func encoded(_ seal: MessageSeal) -> [UInt8] {
        guard case .answer(.configuration(let configuration)) = self, !configuration.webhooks.isEmpty else {
            return self.encoded()
        }
        return seal.seal(self.encoded())
    }
}
