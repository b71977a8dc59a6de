/// What has to be asked of the log about a node that is not heard; the answer goes to ``Membership/note(_:of:at:)``.
///
/// Missing heartbeats do not prove that a node has stopped: the way between two nodes may be cut while both reach the
/// log. So the log decides. A node's pulse is read, and closed later on condition that it is still the same. When
/// that succeeds, the node has had no pulse acknowledged since the reading, so its read fence has been shut for long;
/// and it will have none, because its next pulse expects another message than the closing one.
package struct SilenceCheck: Hashable, Sendable {
    /// What is asked.
    package enum Question: Hashable, Sendable {
        /// Read the last message of the node's pulse in each stream, from the stream's leader.
        case read
        /// Write a closing message in each stream, on condition that the pulse is still at the mark.
        case close(PulseMark)
    }

    /// What the log said.
    package enum Answer: Hashable, Sendable {
        /// The pulse goes on, and is at this mark now.
        case open(PulseMark)
        /// The pulse is closed in every stream, by this node or another one, or does not exist.
        case closed
    }

    /// The silent node.
    package let node: NodeID

    /// What is asked.
    package let question: Question

    /// The last heartbeat that had been heard: if there is another one by now, the answer says nothing.
    let beat: UInt64
}
