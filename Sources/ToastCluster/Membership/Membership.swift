package import ToastCore

/// Who is in the cluster, as one node sees it, and which partitions are this node's.
///
/// It only decides. Its caller
/// - writes the node's pulse to the log, reads which other pulses are open, and then calls ``begin(besides:at:)``;
/// - calls ``advance(at:)`` and sends ``makeClaim()`` each ``period``, and sends it at once when ``hasNews``;
/// - tells it what happens: heartbeats, addresses without a subscriber, answers to checks, and the refusal of its
///   own pulse.
///
/// Two nodes never own a partition at the same time while the read fences of both are open. What this rests on:
/// - A partition goes from one living node to another only after the first has conceded: it has stopped owning it, and
///   has said so in a heartbeat that the second has heard. A message that is late or lost only delays this.
/// - It is taken from a silent node only when the log has closed that node's pulse (``SilenceCheck``), at the earliest
///   3.5 s after it was read. The fence of the silent node shuts 3 s after the last pulse that it sent before.
/// - A node that starts, or starts again after its pulse was closed, writes its own pulse before it reads the others'.
///   So of two nodes that start, at least one knows of the other, and waits for its concession.
///
/// This needs a log whose compare-and-set is one order for all, and clocks of which none runs more than 7 % too fast or
/// too slow: 3.5 s of one are never less than 3 s of another. It needs nothing of heartbeats, wall clocks, delays, or
/// the time for which a process stands still.
///
/// Before it sends a claim, the caller stops answering for partitions that are no longer in ``owned``. All instants
/// are readings of the clock that ``ReadFence`` uses.
package struct Membership: Sendable {
    /// The time between heartbeats.
    package static let period = Interval(seconds: 0.5)

    /// The silence after which a node's pulse is closed.
    package static let silence = Interval(seconds: 5)

    /// The silence after which a node's pulse is read, early enough for closing it when the ``silence`` is over.
    static let suspicion = Interval(seconds: 1.5)

    /// The time from reading a pulse to closing it: the length of a read fence, and half a second for clocks that do
    /// not run alike.
    static let proof = Interval(seconds: 3.5)

    /// How long a node that starts listens before it becomes a candidate: one and a half periods of heartbeats.
    static let listening = Interval(seconds: 0.75)

    /// The maximum number of other nodes.
    ///
    /// Heartbeats of further ones are ignored; they are never conceded to, and so own nothing.
    package static let maximumPeers = 63

    /// Another node.
    struct Peer {
        /// When it was heard last, or else when it became known.
        var heard: Instant
        /// The number of the last heartbeat; zero before the first one.
        var beat: UInt64 = 0
        var candidacy: UInt64?
        /// Whether it was heard since this node began.
        var wasHeard = false
        /// Whether it was known when this node became a candidate: it may have owned partitions without knowing of us.
        var mustConcede: Bool
        /// Whether it has counted this node's candidacy.
        ///
        /// It stays true: a node forgets what it has conceded only when the other one says that it is no candidate any
        /// more, or its pulse is closed.
        var hasConceded = false
        /// Where its pulse was found during the present silence, and when it was found there first.
        var pulse: (mark: PulseMark, seen: Instant)?
        /// Whether its address had no subscriber for a message since it was last heard.
        var isUnreachable = false
    }

    /// This node.
    package let node: NodeID

    /// The partitions that this node owns now; the read fence says whether it may answer for them.
    package private(set) var owned = PartitionSet()

    /// Which candidate would own which partition, as far as this node knows; about other nodes it is only a hint.
    package private(set) var ownership = Ownership(among: [])

    /// The other nodes that are known.
    var peers: [NodeID: Peer] = [:]
    /// The candidates of ``ownership`` in order, and this node's share in it.
    private var candidates: [NodeID] = []
    private var share = PartitionSet()
    /// When the pulse was written and the others were read; `nil` when it has to be done first.
    private var begun: Instant?
    /// Whether ``begin(besides:at:)`` was refused, so that the pulses of dead nodes have to be closed first.
    private var isCrowded = false
    private var isAllowed = true
    private var candidacies: UInt64 = 0
    private var isCandidate = false
    private var said: OwnershipClaim

    /// A node that owns nothing and knows of no other.
    package init(node: NodeID) {
        self.node = node
        self.said = OwnershipClaim(beat: 0, candidacy: nil, concessions: [:])
    }

    /// Whether the next heartbeat says something new, so that it should not wait.
    package var hasNews: Bool {
        self.candidacy != self.said.candidacy || self.concessions != self.said.concessions
    }

    /// Begins, after this node's pulse was written to the log.
    ///
    /// The known nodes are those with an open pulse, read after this node's own was written.
    ///
    /// - Returns: Whether it has begun: not when there would be more than ``maximumPeers``. Then ``advance(at:)`` looks
    ///   for dead ones, among as many as there is room for, and has their pulses closed. Call this again until it has
    ///   begun.
    package mutating func begin(besides known: some Sequence<NodeID>, at now: Instant) -> Bool {
        self.end()
        let new = Set(known).subtracting(self.peers.keys).subtracting([self.node]).sorted()
        let room = Self.maximumPeers - self.peers.count
        for id in new.prefix(room) { self.peers[id] = Peer(heard: now, mustConcede: true) }
        // Every one of them has to be waited for, so none may be left out.
        self.isCrowded = new.count > room
        guard !self.isCrowded else { return false }
        for id in self.peers.keys { self.peers[id]?.wasHeard = false }
        self.begun = now
        return true
    }

    /// Ends what ``begin(besides:at:)`` began, because this node's pulse is closed.
    ///
    /// Another node has closed it, so that the log refuses the next pulse; or this node closes it, because it leaves.
    /// Nodes that start from then on do not know of this one, so it owns nothing until it begins again.
    package mutating func end() {
        self.withdraw()
        (self.begun, self.isCrowded) = (nil, false)
    }

    /// Sets whether this node may own partitions: not while it drains, or while its clock is off.
    package mutating func allowOwning(_ isAllowed: Bool) {
        self.isAllowed = isAllowed
        if !isAllowed { self.withdraw() }
    }

    /// Notes a heartbeat of another node.
    package mutating func hear(_ other: NodeID, _ claim: OwnershipClaim, at now: Instant) {
        guard other != self.node, self.peers[other] != nil || self.peers.count < Self.maximumPeers else { return }
        var peer = self.peers[other] ?? Peer(heard: now, mustConcede: false)
        guard claim.beat > peer.beat else { return }
        (peer.beat, peer.heard, peer.wasHeard) = (claim.beat, now, true)
        (peer.pulse, peer.isUnreachable) = (nil, false)
        peer.candidacy = claim.candidacy
        if let candidacy = self.candidacy, claim.concessions[self.node] == candidacy { peer.hasConceded = true }
        self.peers[other] = peer
        self.update()
    }

    /// Notes that a node's address had no subscriber: its process has ended, or has lost its connection.
    ///
    /// In the latter case it may go on answering reads until its fence shuts, so this only begins the checks at once.
    /// The same holds for the address of one of its partitions, which also has no subscriber for a moment when its
    /// owner changes.
    ///
    /// - Returns: Whether this is news.
    @discardableResult package mutating func noteUnreachable(_ other: NodeID) -> Bool {
        guard self.peers[other]?.isUnreachable == false else { return false }
        self.peers[other]?.isUnreachable = true
        return true
    }

    /// Does what is due, and tells what to ask of the log; a check is repeated at each call until it is answered.
    package mutating func advance(at now: Instant) -> [SilenceCheck] {
        guard self.begun != nil || self.isCrowded else { return [] }
        let hasHeardAll = self.peers.values.allSatisfy(\.wasHeard)
        if let begun = self.begun, self.isAllowed, !self.isCandidate, hasHeardAll, now - begun >= Self.listening {
            self.isCandidate = true
            self.candidacies += 1
            for id in self.peers.keys { self.peers[id]?.mustConcede = true }
            self.update()
        }
        return self.peers.keys.sorted().compactMap { self.check(of: $0, at: now) }
    }

    /// The claim for a heartbeat that is sent now.
    package mutating func makeClaim() -> OwnershipClaim {
        self.said = OwnershipClaim(
            beat: self.said.beat + 1,
            candidacy: self.candidacy,
            concessions: self.concessions
        )
        return self.said
    }

    private var candidacy: UInt64? { self.isCandidate ? self.candidacies : nil }

    private var concessions: [NodeID: UInt64] { self.peers.compactMapValues(\.candidacy) }

    private mutating func withdraw() {
        self.isCandidate = false
        for id in self.peers.keys { self.peers[id]?.hasConceded = false }
        self.update()
    }

    /// Derives what this node owns from the other nodes.
    mutating func update() {
        var candidates = self.peers.filter { $0.value.candidacy != nil }.map(\.key)
        if self.isCandidate { candidates.append(self.node) }
        candidates.sort()
        if candidates != self.candidates {
            self.candidates = candidates
            self.ownership = Ownership(among: candidates)
            self.share = self.ownership.partitions(of: self.node)
        }
        let isConceded = self.peers.values.allSatisfy { peer in
            peer.hasConceded || !peer.mustConcede && peer.candidacy == nil
        }
        self.owned = self.isCandidate && isConceded ? self.share : PartitionSet()
    }
}
