import Foundation
import Synchronization
public import ToastCore

/// A message as a stream keeps it.
public struct StoredMessage: Equatable, Sendable {
    /// Where it was published.
    public let subject: String
    /// Its place in the stream.
    public let sequence: UInt64
    /// When it was stored, by the server's clock, to the millisecond.
    public let timestamp: Instant
    /// The header fields.
    public let headers: NATSHeaders
    /// The body.
    public let body: [UInt8]
}

/// A part of a stream.
public struct StoredMessages: Equatable, Sendable {
    /// The messages, by sequence.
    public let messages: [StoredMessage]
    /// How many of the requested messages are not in it.
    ///
    /// After `messages`, read on behind the last one; after `lastMessages`, ask for the other subjects.
    public let remaining: UInt64
    /// For the last messages of subjects: the sequence of the stream's last message when they were chosen.
    ///
    /// A replica that lags behind the leader has a lower one, and may lack messages. Nil when no message was found.
    public let upTo: UInt64?
}

extension JetStream {
    // MARK: One message, from the leader

    /// The last message of a subject, as the stream's leader has it; nil when there is none.
    public func lastMessage(of subject: String, in stream: String) async throws(NATSError) -> StoredMessage? {
        let query = JSONWriter.encodedObject { $0.member("last_by_subj", subject) }
        do throws(NATSError) {
            let json = try await self.call("STREAM.MSG.GET." + stream, query)
            guard let message = json["message"], let stored = StoredMessage(message) else {
                throw .malformedAnswer("a member of the message is missing")
            }
            return stored
        } catch .refused(let refusal) where refusal.errorCode == JetStreamRefusal.noMessage {
            return nil
        }
    }

    // MARK: Many messages, from any replica

    /// Messages of a subject, which may have wildcards, from a sequence on; at most `count`.
    ///
    /// Any replica answers, so the newest messages can be missing for a moment; the stream must allow direct gets. With
    /// `bytes`, the answer ends with the message that reaches this number: the rest is `remaining`.
    public func messages(
        of subject: String,
        in stream: String,
        from sequence: UInt64,
        count: Int = 1000,
        bytes: Int? = nil
    ) async throws(NATSError) -> StoredMessages {
        let query = JSONWriter.encodedObject { writer in
            writer.member("next_by_subj", subject)
            writer.member("seq", Int64(clamping: max(1, sequence)))
            writer.member("batch", count)
            writer.member("max_bytes", bytes)
        }
        return try await self.directGet(query, in: stream)
    }

    /// The last message of each of many subjects, which may have wildcards.
    ///
    /// Any replica answers; the server refuses more than 1024 subjects with the code 413. The stream must allow direct
    /// gets. With `bytes`, the answer ends with the message that reaches this number: the rest is `remaining`.
    public func lastMessages(
        of subjects: [String],
        in stream: String,
        bytes: Int? = nil
    ) async throws(NATSError) -> StoredMessages {
        let query = JSONWriter.encodedObject { writer in
            writer.member("multi_last", subjects)
            writer.member("batch", 1024)
            writer.member("max_bytes", bytes)
        }
        return try await self.directGet(query, in: stream)
    }

    private func directGet(_ query: [UInt8], in stream: String) async throws(NATSError) -> StoredMessages {
        let request = NATSMessage(subject: "$JS.API.DIRECT.GET." + stream, body: query)
        let collector = Collector()
        return try await withCheckedContinuation { continuation in
            self.client.request(request, timeout: self.timeout) { result in
                guard let whole = collector.receive(result) else { return .more }
                continuation.resume(returning: whole)
                return .done
            }
        }.get()
    }
}

/// Collects the answers to a direct get.
private final class Collector: Sendable {
    private let messages = Mutex<[StoredMessage]>([])

    /// Takes an answer; returns the whole when it was the last one.
    func receive(_ result: Result<NATSMessage, NATSError>) -> Result<StoredMessages, NATSError>? {
        switch result {
        case .failure(let error): return .failure(error)
        case .success(let message):
            let remaining = message.headers["Nats-Num-Pending"].flatMap { UInt64($0) } ?? 0
            let upTo = message.headers["Nats-UpTo-Sequence"].flatMap { UInt64($0) }
            switch message.status {
            case nil:
                guard let stored = StoredMessage(direct: message) else {
                    return .failure(.malformedAnswer("a header field of the message is missing"))
                }
                self.messages.withLock { $0.append(stored) }
                return nil
            case 204:
                let messages = self.messages.withLock { $0 }
                return .success(StoredMessages(messages: messages, remaining: remaining, upTo: upTo))
            case 404:
                // The server also sends 404 in the middle of an answer, when a message was removed since it was chosen.
                guard self.messages.withLock(\.isEmpty) else { return .failure(.timeout) }
                return .success(StoredMessages(messages: [], remaining: 0, upTo: upTo))
            case let code?:
                let text = message.headers["Description"] ?? ""
                return .failure(.refused(JetStreamRefusal(code: code, errorCode: 0, description: text)))
            }
        }
    }
}

extension StoredMessage {
    /// A message in an answer of the leader.
    fileprivate init?(_ json: JSON) {
        guard let subject = json["subject"]?.string, let sequence = json["seq"]?.sequence,
            let timestamp = json["time"]?.string.flatMap({ Instant(rfc3339: $0) }),
            let body = json.bytes("data"), let head = json.bytes("hdrs")
        else { return nil }
        self.init(
            subject: subject,
            sequence: sequence,
            timestamp: timestamp,
            headers: NATSHeaders(block: head),
            body: body
        )
    }

    /// A message that is itself the answer.
    fileprivate init?(direct message: NATSMessage) {
        var headers = message.headers
        guard let subject = headers["Nats-Subject"], let sequence = headers["Nats-Sequence"].flatMap({ UInt64($0) }),
            let timestamp = headers["Nats-Time-Stamp"].flatMap({ Instant(rfc3339: $0) })
        else { return nil }
        let added = [
            "Nats-Stream", "Nats-Subject", "Nats-Sequence", "Nats-Time-Stamp", "Nats-Num-Pending", "Nats-Last-Sequence",
            "Nats-UpTo-Sequence",
        ]
        headers.remove(added)
        self.init(subject: subject, sequence: sequence, timestamp: timestamp, headers: headers, body: message.body)
    }
}

extension JSON {
    /// The bytes of a member in Base64.
    ///
    /// Empty when the member is missing; nil when its text is not Base64.
    fileprivate func bytes(_ name: String) -> [UInt8]? {
        Data(base64Encoded: self[name]?.string ?? "").map { Array($0) }
    }
}

extension NATSHeaders {
    /// The fields of a block as it is on the wire: a line of the version, then `Name: value` in each line.
    init(block: [UInt8]) {
        self = [:]
        let lines = String(decoding: block, as: UTF8.self).split(whereSeparator: \.isNewline)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            self.append(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }
}
