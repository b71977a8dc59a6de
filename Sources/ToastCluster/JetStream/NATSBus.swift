package import EventLoop
package import NATS
package import ToastCore

/// The messages between nodes as messages of NATS that no stream keeps.
package struct NATSBus: Bus {
    /// The longest message: the server's limit without the subjects and what NATS adds.
    package let limit: MessageLimit

    private let client: NATSClient
    private let loop: EventLoop
    private let prefix: String

    /// The bytes that a subject, a reply subject and the protocol may take of a message.
    private static let overhead = 512

    /// A bus over a connection, which must stay open as long as the bus is used.
    ///
    /// Its subjects begin with the prefix; messages arrive on the loop.
    package init(_ connection: NATSConnection, prefix: String, on loop: EventLoop) {
        self.limit = MessageLimit(bytes: connection.maximumPayload - Self.overhead)
        self.client = connection.makeClient()
        self.loop = loop
        self.prefix = prefix
    }

    /// Sends a message; it is lost when there is no connection.
    package func publish(_ body: [UInt8], to address: BusAddress) {
        self.send(NATSMessage(subject: self.subject(of: address), body: body))
    }

    package func request(
        _ body: [UInt8],
        to address: BusAddress,
        timeout: Interval
    ) async throws(BusError) -> [UInt8] {
        do throws(NATSError) {
            let message = NATSMessage(subject: self.subject(of: address), body: body)
            return try await self.client.request(message, timeout: .nanoseconds(timeout.nanoseconds)).body
        } catch {
            throw BusError(error)
        }
    }

    package func expireRequests(to addresses: [BusAddress], after time: Interval) {
        guard !addresses.isEmpty else { return }
        let subjects = Set(addresses.map { self.subject(of: $0) })
        self.client.expireRequests(to: subjects, after: .nanoseconds(time.nanoseconds))
    }

    /// Calls a handler with each message to an address, on the bus's loop.
    package func subscribe(
        _ address: BusAddress,
        _ handler: @escaping @Sendable (_ body: [UInt8], _ reply: BusReply?) -> Void
    ) -> BusCancellation {
        let connection = self.client.connection
        do throws(NATSError) {
            let subject = self.subject(of: address)
            let subscription = try connection.subscribe(to: subject, on: self.loop) { event in
                // Dropped messages are lost: a bus need not deliver every message.
                guard case .message(let message) = event else { return }
                let reply = message.reply.map { subject -> BusReply in
                    { self.send(NATSMessage(subject: subject, body: $0)) }
                }
                handler(message.body, reply)
            }
            return { subscription.end() }
        } catch {
            // The connection is closed for good, so nothing arrives.
            return {}
        }
    }

    /// Sends a message that may be lost; a sender that must know waits for a reply.
    private func send(_ message: NATSMessage) { try? self.client.connection.publish(message) }

    private func subject(of address: BusAddress) -> String {
        switch address {
        case .partition(let partition): "\(self.prefix).p.\(partition.index)"
        case .node(let node): "\(self.prefix).n.\(node)"
        case .all: "\(self.prefix).all"
        }
    }
}

extension BusError {
    /// What an error of the connection says of a request.
    fileprivate init(_ error: NATSError) {
        switch error {
        case .timeout, .malformedAnswer, .connectionLost: self = .timeout
        // Nothing was sent, or no node has subscribed: no node got the request.
        case .noResponders, .notConnected, .overloaded, .closed, .tooLarge, .invalid, .refused, .cannotConnect,
            .unsupportedServer:
            self = .noResponders
        }
    }
}
