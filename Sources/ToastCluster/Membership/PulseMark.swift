/// Where a node's pulse stands: the sequence of its last message in each stream of the log.
///
/// Each node writes a pulse to each stream each second, with compare-and-set on its previous one.
package struct PulseMark: RawRepresentable, Hashable, Sendable {
    /// The sequences, a stream each.
    package let rawValue: [UInt64]

    /// A mark of sequences.
    package init(rawValue: [UInt64]) {
        self.rawValue = rawValue
    }
}
