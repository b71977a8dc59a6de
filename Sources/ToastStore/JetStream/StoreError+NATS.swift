package import NATS
package import ToastCore

extension StoreError {
    /// The error of a read, or of a change that was not made.
    package init(_ error: NATSError) {
        self = error == .closed ? .closed : .unavailable(error.description)
    }
}

extension NATSError {
    /// Whether the same request may succeed in a moment: the stream has no leader, or an answer was lost.
    var isTransient: Bool {
        switch self {
        case .timeout, .connectionLost, .noResponders, .overloaded, .malformedAnswer: true
        case .refused(let refusal): refusal.isTransient
        case .cannotConnect, .unsupportedServer, .notConnected, .tooLarge, .closed, .invalid: false
        }
    }

    /// Whether another message came before this one in the log: of another writer, or of an earlier attempt.
    package var isAboutSequence: Bool {
        guard case .refused(let refusal) = self else { return false }
        return [JetStreamRefusal.wrongLastSequence, JetStreamRefusal.wrongConstantSequence].contains(refusal.errorCode)
    }
}

extension JetStreamRefusal {
    /// "wrong last sequence" of a message whose sequence the server did not even know yet; spurious at times on 2.12.8,
    /// right after the ack of the same writer.
    static let wrongConstantSequence = 10164

    /// More batches are open in the stream than may be.
    static let tooManyBatches = 10176

    /// A batch was left behind by a change of the stream's leader.
    static let incompleteBatch = 10199

    /// Too few servers are there for a new stream: in a cluster that is just starting, they come in a moment.
    static let tooFewServers = 10005

    /// Whether the server could not do it now: it answers 503 while a stream's leader is missing or changing.
    fileprivate var isTransient: Bool {
        self.code == 503 || [Self.tooManyBatches, Self.incompleteBatch, Self.tooFewServers].contains(self.errorCode)
    }
}
