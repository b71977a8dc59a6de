import NATS
import ToastCore

/// The streams of a cluster's store.
struct Streams: Sendable {
    let subjects: Subjects
    let replicas: Int

    /// Creates the streams that are missing; one that exists keeps its settings, whatever they are.
    func make(_ read: LogReader) async throws(StoreError) {
        var streams = (0..<Subjects.logs).map { (self.subjects.stream($0), self.subjects.all(ofLog: $0)) }
        streams.append((self.subjects.metaStream, self.subjects.allOfMeta))
        for (name, filter) in streams {
            let settings = self.configuration(name, filter)
            try await read { (client) async throws(NATSError) -> Void in
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
    func epoch(_ read: LogReader) async throws(StoreError) -> Epoch {
        let stored = try await self.first(self.subjects.epoch, or: Epoch.random().rawValue, read)
        guard let epoch = Epoch(rawValue: stored) else {
            throw .corrupt("The epoch of the cluster cannot be read.")
        }
        return epoch
    }

    /// Refuses a process with another key than the first process had: the nodes could not read each other's secrets.
    func checkKey(_ fingerprint: String, _ read: LogReader) async throws(StoreError) {
        let stored = try await self.first(self.subjects.key, or: fingerprint, read)
        guard stored == fingerprint else {
            throw .unavailable(
                "The cluster has another key (\(stored)) than this process (\(fingerprint)): use the same file on all nodes."
            )
        }
    }

    /// The text of a subject that is written once: the stored one, or else `text`, which is stored.
    private func first(_ subject: String, or text: String, _ read: LogReader) async throws(StoreError) -> String {
        let stream = self.subjects.metaStream
        let body = Array(text.utf8)
        let new = StreamMessage(subject: subject, body: body, expectedLastSequence: 0)
        let stored = try await read { (client) async throws(NATSError) -> [UInt8] in
            if let message = try await client.lastMessage(of: subject, in: stream) { return message.body }
            do throws(NATSError) {
                _ = try await client.publish(new)
            } catch  where error.isAboutSequence {
                // Another node was faster: the next try reads its text.
                throw .timeout
            }
            return body
        }
        return String(decoding: stored, as: UTF8.self)
    }
}
