package import ToastCore

extension Membership {
    /// Notes what the log has answered to a check.
    package mutating func note(_ answer: SilenceCheck.Answer, of check: SilenceCheck, at now: Instant) {
        // A node that was heard since may have opened a new pulse, and have been conceded to.
        guard var peer = self.peers[check.node], peer.beat == check.beat else { return }
        switch answer {
        case .closed:
            self.peers[check.node] = nil
            self.update()
        case .open(let mark):
            guard peer.pulse?.mark != mark else { return }
            // A node that writes to the log is connected.
            if peer.pulse != nil { peer.isUnreachable = false }
            peer.pulse = (mark, now)
            self.peers[check.node] = peer
        }
    }

    /// The pulses to read because another node's claim no longer concedes to their nodes: it may have closed them.
    package func checks(on other: NodeID, _ claim: OwnershipClaim, at now: Instant) -> [SilenceCheck] {
        // A node that is no candidate has perhaps not heard of the others yet.
        guard claim.candidacy != nil else { return [] }
        return self.peers.keys.sorted().compactMap { id in
            guard id != other, let peer = self.peers[id], peer.candidacy != nil, claim.concessions[id] == nil,
                now - peer.heard >= Self.suspicion
            else { return nil }
            return SilenceCheck(node: id, question: .read, beat: peer.beat)
        }
    }

    /// What to ask of the log about a node, if it is silent.
    func check(of other: NodeID, at now: Instant) -> SilenceCheck? {
        guard let peer = self.peers[other] else { return nil }
        let silence = now - peer.heard
        guard silence >= Self.suspicion || peer.isUnreachable else { return nil }
        guard let pulse = peer.pulse else { return SilenceCheck(node: other, question: .read, beat: peer.beat) }
        guard now - pulse.seen >= Self.proof, silence >= Self.silence || peer.isUnreachable else { return nil }
        return SilenceCheck(node: other, question: .close(pulse.mark), beat: peer.beat)
    }
}
