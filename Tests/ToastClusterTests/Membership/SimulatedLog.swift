@testable import ToastCluster

/// The pulses in a log of several streams, each with compare-and-set of its own, in one order.
struct SimulatedLog {
    struct Pulse: Equatable {
        var sequence: UInt64
        var isOpen: Bool
    }

    enum Operation: Equatable {
        case read
        case list
        /// Writes a pulse, the first one or the next one, if the last message is as expected.
        case write(expected: UInt64)
        case close(expected: UInt64)
    }

    enum Answer: Equatable {
        /// The pulse as it is now, and whether the operation has changed it.
        case pulse(Pulse?, isWritten: Bool)
        case open([NodeID])
    }

    private var streams: [[NodeID: Pulse]]
    private var sequence: UInt64 = 0

    init(streams: Int) {
        self.streams = Array(repeating: [:], count: streams)
    }

    mutating func perform(_ operation: Operation, on node: NodeID, stream: Int) -> Answer {
        let pulse = self.streams[stream][node]
        switch operation {
        case .read:
            return .pulse(pulse, isWritten: false)
        case .list:
            return .open(self.streams[stream].filter(\.value.isOpen).map(\.key))
        case .write(let expected), .close(let expected):
            guard pulse?.sequence ?? 0 == expected else { return .pulse(pulse, isWritten: false) }
            self.sequence += 1
            let isOpen = if case .write = operation { true } else { false }
            let written = Pulse(sequence: self.sequence, isOpen: isOpen)
            self.streams[stream][node] = written
            return .pulse(written, isWritten: true)
        }
    }
}
