/// Where a node's pulse stands: the sequence of its last message in each stream of the log.
///
/// Each node writes a pulse to each stream each second, with compare-and-set on its previous one.
package typealias PulseMark = [UInt64]
