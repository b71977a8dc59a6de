import NATS
import ToastCore

/// The streams of a cluster's store.
struct Streams: Sendable {
    let read: LogReader
    let replicas: Int

    /// Creates the streams that are missing; one that exists keeps its settings, whatever they are.
    func make() async throws(StoreError) {
        let subjects = self.read.subjects
        var streams = (0..<Subjects.logs).map { (subjects.stream($0), subjects.all(ofLog: $0)) }
        streams.append((subjects.metaStream, subjects.allOfMeta))
        for (name, filter) in streams {
            let settings = self.configuration(name, filter)
            try await self.read { (client) async throws(NATSError) -> Void in
                // Asked first, because a server may refuse to create a stream for reasons that do not matter when it is
                // there.
                guard try await client.clock(of: name) == nil else { return }
                try await client.makeStream(name, configuration: settings)
            }
        }
    }

    /// The configuration of a stream.
    ///
    /// Neither `max_age` nor `max_msgs_per_subject`: both would drop events after the snapshot.
    private func configuration(_ name: String, _ filter: String) -> [UInt8] {
        JSONWriter.encodedObject { writer in
            writer.member("name", name)
            writer.array("subjects") { $0.value(filter) }
            writer.member("retention", "limits")
            writer.member("storage", "file")
            writer.member("discard", "new")
            writer.member("num_replicas", self.replicas)
            writer.member("allow_direct", true)
            writer.member("allow_rollup_hdrs", true)
            writer.member("allow_msg_ttl", true)
            writer.member("allow_atomic", true)
            // No message has an id, so there are no duplicates to detect.
            writer.member("duplicate_window", 100_000_000)
        }
    }

    /// The epoch of the log: the stored one, or else a new one, which is stored.
    func epoch() async throws(StoreError) -> Epoch {
        let stored = try await self.first(self.read.subjects.epoch, or: Epoch.random().rawValue)
        guard let epoch = Epoch(rawValue: stored) else {
            throw .corrupt("The epoch of the cluster cannot be read.")
        }
        return epoch
    }

    /// Refuses a process with another key than the first process had: the nodes could not read each other's secrets.
    func checkKey(_ fingerprint: String) async throws(StoreError) {
        let stored = try await self.first(self.read.subjects.key, or: fingerprint)
        guard stored == fingerprint else {
            throw .unavailable(
                "The cluster has another key (\(stored)) than this process (\(fingerprint)): use the same file on all nodes."
            )
        }
    }

    /// How often a first message is read and sent: a new leader may neither have it nor accept it for a moment.
    private static let rounds = 100

    /// The text of a subject that is written once: the stored one, or else `text`, which is stored.
    private func first(_ subject: String, or text: String) async throws(StoreError) -> String {
        let new = StreamMessage(subject: subject, body: Array(text.utf8), expectedLastSequence: 0)
        for _ in 0..<Self.rounds {
            if let message = try await self.read.last(subject, in: self.read.subjects.metaStream) {
                return String(decoding: message.body, as: UTF8.self)
            }
            // If another node was faster, or the answer was lost, the next round reads what is stored.
            if try await self.read.publish(new) != nil { return text }
            try? await Task.sleep(for: LogReader.pause)
        }
        throw .unavailable("The cluster refuses a first message, and has none.")
    }
}
