// The library's callbacks for requests, on the loop.

extension Server {
    /// Takes a request's head.
    ///
    /// Returns false to end the connection.
    func begin(_ exchange: Exchange, _ handle: ConnectionHandle, _ line: RequestLine) -> Bool {
        let head = handle.head(after: line)
        exchange.headers = head.fields
        exchange.connection.received += head.size
        exchange.methodName = line.method
        if let error = self.violation(exchange, line, head) { return self.refuse(exchange, handle, error) }
        guard let method = Method(rawValue: line.method) else {
            // RFC 9110 §15.5.6: the resource says which methods it knows.
            guard let target = Target(exchange.target) else {
                return self.refuse(exchange, handle, .malformed("malformed request target"))
            }
            let allowed = self.configuration.allowed(target)
            return self.refuse(exchange, handle, allowed.isEmpty ? .notFound : .methodNotAllowed(allowed))
        }
        exchange.method = method
        // RFC 9110 §7.8: "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0 request."
        if line.version == "HTTP/1.0" { exchange.headers.remove("upgrade") }
        // A proxy and the library may read a chunked body differently: the library accepts a bare LF as the end of a
        // line. So nothing after such a body is ever read as a request.
        exchange.isLast = exchange.headers.count(of: "transfer-encoding") > 0
        exchange.mayPersist = line.version == "HTTP/1.1"
        exchange.state = .body
        return true
    }

    /// Takes a part of a request's body, or its end when the part is empty.
    ///
    /// Returns false to end the connection.
    func proceed(_ exchange: Exchange, _ handle: ConnectionHandle, _ chunk: UploadChunk) -> Bool {
        switch exchange.state {
        case .body where chunk.count > 0:
            guard self.allows(exchange.body.count + chunk.count, for: exchange) else {
                return self.refuse(exchange, handle, .bodyTooLong(limit: self.bodyLimit(of: exchange)))
            }
            chunk.append(to: &exchange.body)
            exchange.connection.received += chunk.count
            return true
        case .body:
            return self.dispatch(exchange, handle)
        case .answered(let reply):
            return self.deliver(reply, exchange, handle)
        case .head, .running, .suspended, .delivered, .detached, .refused, .completed:
            return false
        }
    }

    /// Ends a request, answered or not.
    func complete(_ exchange: Exchange, _ handle: ConnectionHandle) {
        // The library ends the connection before it has asked for the reply. Whatever it gives as its reason, the peer
        // may only have closed its half.
        if case .answered(let reply) = exchange.state { self.send(reply, exchange, handle) }
        if case .delivered = exchange.state { self.noteSent() }
        exchange.state = .completed
        exchange.task?.cancel()
        exchange.task = nil
        self.awaitNext(on: exchange.connection)
    }

    private func violation(_ exchange: Exchange, _ line: RequestLine, _ head: HeadReader) -> HTTPError? {
        // First, because all checks below may read the target. RFC 9110 §15.5.15.
        guard !Target.hasLongPath(exchange.target) else { return .pathTooLong }
        // RFC 6585 §5: 431 is for fields that are too large in total, and for a single one.
        guard head.size <= self.configuration.headLimit, self.hasRoom(beside: head) else {
            return .headTooLong(limit: self.configuration.headLimit)
        }
        guard head.fields.count <= self.configuration.fieldLimit else {
            return .tooManyFields(limit: self.configuration.fieldLimit)
        }
        if let error = RequestRules.violation(method: line.method, version: line.version, headers: head.fields) {
            return error
        }
        // RFC 9112 §3: single blanks in the request line; §2.2: CR LF ends a line; §5.2: no folding.
        guard head.isSeamless, line.isTight(around: exchange.target.count) else {
            return .malformed("a line is folded, ends without CR LF, or holds a NUL")
        }
        // The library refuses what is not a number; a number that does not fit into an Int is too long.
        if let length = head.fields["content-length"].map({ Int($0) ?? .max }), !self.allows(length, for: exchange) {
            return .bodyTooLong(limit: self.bodyLimit(of: exchange))
        }
        return self.isStopping ? .stopping : nil
    }

    /// Whether the body and the response have enough of the connection's memory beside the head.
    private func hasRoom(beside head: HeadReader) -> Bool {
        let bytesOfField = 56
        return head.size + bytesOfField * head.fields.count + Configuration.bodyMemory
            <= self.configuration.memoryLimit
    }

    /// Whether a body may have `count` bytes; looks the resource up only above the general limit.
    private func allows(_ count: Int, for exchange: Exchange) -> Bool {
        count <= self.configuration.bodyLimit || count <= self.bodyLimit(of: exchange)
    }

    /// Looked up once for a request: its body may have a million chunks.
    private func bodyLimit(of exchange: Exchange) -> Int {
        if let limit = exchange.bodyLimit { return limit }
        let limit = Target(exchange.target).flatMap(self.configuration.bodyLimitOf) ?? self.configuration.bodyLimit
        exchange.bodyLimit = limit
        return limit
    }

    /// Answers a request that breaks a rule, and ends its connection.
    ///
    /// The library would close the socket with unread input, which makes the kernel send a reset, and a reset can
    /// overtake the response. So the socket is taken from it, as for a stream, for a lingering close.
    private func refuse(_ exchange: Exchange, _ handle: ConnectionHandle, _ error: HTTPError) -> Bool {
        exchange.state = .refused
        exchange.connection.isTaken = true
        // Without a free descriptor the connection just ends.
        guard let copy = try? SocketCalls.duplicate(handle.descriptor) else { return false }
        let request = RefusedRequest(
            error: error,
            method: exchange.methodName,
            target: exchange.target,
            headers: exchange.headers,
            peer: handle.peer
        )
        let response = self.configuration.refused(request, self.configuration.describe(error))
        let message = response.serialized(hasBody: exchange.methodName != "HEAD")
        let socket = Socket(owning: copy, isLimited: exchange.connection.isLimited)
        self.lingering.assumeIsolated { $0.end(socket, sending: [Frame(message)]) }
        return false
    }

    private func dispatch(_ exchange: Exchange, _ handle: ConnectionHandle) -> Bool {
        guard !self.isStopping else { return self.refuse(exchange, handle, .stopping) }
        guard let target = self.target(of: exchange) else {
            return self.refuse(exchange, handle, .malformed("malformed request target"))
        }
        let request = Request(
            method: exchange.method,
            target: target,
            headers: exchange.headers,
            body: exchange.body,
            peer: handle.peer,
            probe: exchange.connection.probe
        )
        exchange.state = .running
        exchange.connection.deadline = .max
        self.pending += 1
        exchange.task = Task.immediate {
            let reply = await self.configuration.handler(request)
            self.finish(exchange, with: reply)
        }
        switch exchange.state {
        case .answered(let reply):
            return self.deliver(reply, exchange, handle)
        case .running:
            exchange.state = .suspended(handle)
            handle.suspend()
            return true
        case .head, .body, .suspended, .delivered, .detached, .refused, .completed:
            preconditionFailure("A running request is answered or waits.")
        }
    }

    /// RFC 9112 §3.2.4: `OPTIONS *` is about the server; the router treats it as the root path.
    private func target(of exchange: Exchange) -> Target? {
        if exchange.method == .options, exchange.target == [UInt8(ascii: "*")] { return Target("/".utf8) }
        return Target(exchange.target)
    }

    private func finish(_ exchange: Exchange, with reply: Reply) {
        self.pending -= 1
        exchange.task = nil
        switch exchange.state {
        case .running:
            exchange.state = .answered(reply)
        case .suspended(let handle):
            exchange.state = .answered(reply)
            handle.resume()
            self.needsRun = true
        case .head, .body, .answered, .delivered, .detached, .refused, .completed:
            break
        }
        guard self.isStopping, self.pending == 0 else { return }
        self.whenIdle?.resume()
        self.whenIdle = nil
    }

    private func deliver(_ reply: Reply, _ exchange: Exchange, _ handle: ConnectionHandle) -> Bool {
        switch reply {
        case .response(var response):
            if self.isStopping || exchange.isLast { response.closesConnection = true }
            return self.queue(response, exchange, handle)
        case .detach(let take, let answersOnce, let otherwise):
            guard let socket = self.detach(exchange, handle, mayReturn: answersOnce) else {
                var response = otherwise()
                response.closesConnection = true
                return self.queue(response, exchange, handle)
            }
            take(socket)
            return false
        }
    }

    /// Passes a response to the library.
    private func queue(_ response: Response, _ exchange: Exchange, _ handle: ConnectionHandle) -> Bool {
        exchange.connection.endsWithResponse = response.closesConnection
        if exchange.connection.isLimited, response.body.count > SocketCalls.sendBuffer {
            exchange.connection.isLimited = false
            SocketCalls.freeSendBuffer(of: handle.descriptor)
        }
        // The peer has to read it.
        self.expect(exchange.connection, within: self.idleTicks)
        // The library has a copy of the body, which is charged until the request has completed.
        exchange.state = .delivered(response.charge)
        self.sending += 1
        return handle.queue(response)
    }

    /// Takes the connection from the library, which closes its own descriptor of it; nil when no other is free.
    private func detach(_ exchange: Exchange, _ handle: ConnectionHandle, mayReturn: Bool) -> Socket? {
        guard let copy = try? SocketCalls.duplicate(handle.descriptor) else { return nil }
        exchange.connection.isTaken = true
        exchange.state = .detached
        return Socket(
            owning: copy,
            isLimited: exchange.connection.isLimited,
            takesInterim: exchange.mayPersist,
            history: mayReturn ? self.history(of: exchange, over: copy) : nil
        )
    }

    /// Delivers a reply past the library, to a peer that has closed its half and may still read, as `nc -N` does.
    ///
    /// When a request is resumed, the library reads from its connection before it asks for the reply, and ends the
    /// connection at the end of the input.
    private func send(_ reply: Reply, _ exchange: Exchange, _ handle: ConnectionHandle) {
        guard let socket = self.detach(exchange, handle, mayReturn: false) else { return }
        switch reply {
        case .response(let response):
            let message = response.serialized(hasBody: exchange.methodName != "HEAD")
            self.lingering.assumeIsolated { $0.end(socket, sending: [Frame(message, charge: response.charge)]) }
        case .detach(let take, _, _):
            take(socket)
        }
    }
}
