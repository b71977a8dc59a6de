public import ToastCore

/// JetStream over the requests of one client.
///
/// It uses the subjects of the server's API, which are documented and versioned, because the JetStream functions of
/// the library in Debian lack half of what toastd needs.
public struct JetStream: Sendable {
    /// The client that sends the requests.
    public let client: NATSClient
    /// How long to wait for the answer to a request.
    public var timeout: Duration

    /// JetStream over a client.
    public init(_ client: NATSClient, timeout: Duration = .seconds(5)) {
        self.client = client
        self.timeout = timeout
    }

    /// Sends a request to the API and reads the JSON of its answer.
    func call(_ subject: String, _ body: [UInt8] = []) async throws(NATSError) -> JSON {
        let request = NATSMessage(subject: "$JS.API." + subject, body: body)
        return try Self.answer(await self.client.request(request, timeout: self.timeout))
    }

    /// The JSON of an answer, or the refusal in it.
    static func answer(_ message: NATSMessage) throws(NATSError) -> JSON {
        guard let json = try? JSON(parsing: message.body, limitsMarks: false) else {
            throw .malformedAnswer("it is not JSON")
        }
        guard let error = json["error"] else { return json }
        throw .refused(
            JetStreamRefusal(
                code: error["code"]?.int ?? 0,
                errorCode: error["err_code"]?.int ?? 0,
                description: error["description"]?.string ?? ""
            )
        )
    }
}

extension JetStream {
    /// Creates a stream; does nothing when there is one of that name, whatever its configuration.
    ///
    /// So of several clients that create it at the same time, all succeed. The configuration is JSON, as the server
    /// documents it, and has the name too.
    public func makeStream(_ stream: String, configuration: [UInt8]) async throws(NATSError) {
        do throws(NATSError) {
            _ = try await self.call("STREAM.CREATE." + stream, configuration)
        } catch .refused(let refusal) where refusal.errorCode == JetStreamRefusal.streamNameInUse {
            // Another client was faster.
        }
    }

    /// The clock of the server that leads a stream, to the millisecond; nil when there is no such stream.
    public func clock(of stream: String) async throws(NATSError) -> Instant? {
        do throws(NATSError) {
            let clock = try await self.call("STREAM.INFO." + stream)["ts"]?.string.flatMap { Instant(rfc3339: $0) }
            guard let clock else { throw .malformedAnswer("the state of a stream has no time") }
            return clock
        } catch .refused(let refusal) where refusal.errorCode == JetStreamRefusal.noStream {
            return nil
        }
    }

    /// The subjects that have messages in a stream and match a filter with wildcards, and how many messages each has.
    public func subjects(in stream: String, matching filter: String) async throws(NATSError) -> [String: UInt64] {
        var (subjects, offset): ([String: UInt64], Int) = ([:], 0)
        while true {
            // The server answers with at most 100,000 subjects.
            let body = JSONWriter.encodedObject { writer in
                writer.member("subjects_filter", filter)
                writer.member("offset", offset)
            }
            let json = try await self.call("STREAM.INFO." + stream, body)
            let page = json["state"]?["subjects"]?.object ?? [:]
            for (name, value) in page { subjects[name] = value.sequence }
            offset += page.count
            if page.isEmpty || offset >= json["total"]?.int ?? 0 { return subjects }
        }
    }

    /// Removes messages of subjects, all or those below a sequence; returns how many.
    ///
    /// The filter names the subjects, and may have wildcards.
    public func purge(
        _ filter: String,
        in stream: String,
        before sequence: UInt64? = nil
    ) async throws(NATSError) -> UInt64 {
        let body = JSONWriter.encodedObject { writer in
            writer.member("filter", filter)
            writer.member("seq", sequence.map { Int64(clamping: $0) })
        }
        let json = try await self.call("STREAM.PURGE." + stream, body)
        return json["purged"]?.sequence ?? 0
    }
}

extension JetStream {
    /// Creates a consumer; returns how many messages it has to deliver.
    ///
    /// The configuration is JSON, as the server documents it, and has the name too.
    public func makeConsumer(
        _ name: String,
        of stream: String,
        configuration: [UInt8]
    ) async throws(NATSError) -> UInt64 {
        let body = JSONWriter.encodedObject { writer in
            writer.member("stream_name", stream)
            writer.name("config")
            writer.encoded(configuration)
        }
        let json = try await self.call("CONSUMER.CREATE.\(stream).\(name)", body)
        return json["num_pending"]?.sequence ?? 0
    }

    /// Removes a consumer; does nothing when there is none.
    public func removeConsumer(_ name: String, of stream: String) async throws(NATSError) {
        do throws(NATSError) {
            _ = try await self.call("CONSUMER.DELETE.\(stream).\(name)")
        } catch .refused(let refusal) where refusal.code == 404 {
            // Another call, or the server, has removed it already.
        }
    }
}

extension JSON {
    /// The sequence of a message, or a number of messages; nil when it is not a whole number from 0.
    var sequence: UInt64? { self.integer.flatMap { UInt64(exactly: $0) } }

    /// A number without a fraction.
    fileprivate var int: Int? { self.integer.flatMap { Int(exactly: $0) } }
}
