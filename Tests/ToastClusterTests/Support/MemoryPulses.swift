import Synchronization
import ToastCluster
import ToastCore

/// The pulses of nodes, in memory; a test can cut nodes off.
final class MemoryPulses: Sendable {
    /// What all nodes see.
    struct Marks: Sendable {
        var sequence: UInt64 = 0
        var open: [NodeID: [UInt64]] = [:]
    }

    private let state = Mutex((marks: Marks(), cut: Set<NodeID>()))

    /// Makes all calls of a node fail, or succeed again.
    func cut(_ node: NodeID, _ isCut: Bool = true) {
        self.state.withLock { state in
            if isCut { state.cut.insert(node) } else { state.cut.remove(node) }
        }
    }

    /// The log as one node sees it.
    func log(of node: NodeID) -> some PulseLog { Log(node: node, pulses: self) }

    fileprivate func call<Value: Sendable>(
        as node: NodeID,
        _ body: (inout Marks) -> Value
    ) throws(StoreError) -> Value {
        let value: Value? = self.state.withLock { state in
            state.cut.contains(node) ? nil : body(&state.marks)
        }
        guard let value else { throw .unavailable("The log is cut off.") }
        return value
    }
}

private struct Log: PulseLog {
    let node: NodeID
    let pulses: MemoryPulses
    let streams = 4

    func open(_ node: NodeID) async throws(StoreError) -> [NodeID] {
        try self.pulses.call(as: self.node) { log in
            log.sequence += 1
            log.open[node] = Array(repeating: log.sequence, count: 4)
            return log.open.keys.filter { $0 != node }.sorted()
        }
    }

    func pulse(_ node: NodeID, stream: Int) async throws(StoreError) -> Bool {
        try self.pulses.call(as: self.node) { log in
            log.sequence += 1
            guard log.open[node] != nil else { return false }
            log.open[node]?[stream] = log.sequence
            return true
        }
    }

    func close(_ node: NodeID) async throws(StoreError) {
        try self.pulses.call(as: self.node) { $0.open[node] = nil }
    }

    func answer(_ check: SilenceCheck) async throws(StoreError) -> SilenceCheck.Answer {
        try self.pulses.call(as: self.node) { log in
            guard let mark = log.open[check.node] else { return .closed }
            if case .close(let expected) = check.question, expected == mark {
                log.open[check.node] = nil
                return .closed
            }
            return .open(mark)
        }
    }
}
