// What the library calls for requests.

extension Server {
    /// Takes a request's head.
    ///
    /// False ends the connection.
    func begin(_ exchange: Exchange, _ connection: ConnectionHandle, _ line: RequestLine) -> Bool {
        let head = connection.head(behind: line)
        exchange.headers = head.fields
        exchange.peer.received += head.size
        exchange.methodName = line.method
        if let error = self.violation(exchange, line, head) { return self.refuse(exchange, connection, error) }
        guard let method = Method(rawValue: line.method) else {
            // RFC 9110 §15.5.6: the resource says which methods it knows.
            guard let target = Target(exchange.target) else {
                return self.refuse(exchange, connection, .malformed("malformed request target"))
            }
            let allowed = self.configuration.allowed(target)
            return self.refuse(exchange, connection, allowed.isEmpty ? .notFound : .methodNotAllowed(allowed))
        }
        exchange.method = method
        // RFC 9110 §7.8: "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0 request."
        if line.version == "HTTP/1.0" { exchange.headers.remove("upgrade") }
        // A body in chunks is read by rules that the library and a proxy before it may understand differently: it
        // takes a bare LF for a line's end. So nothing behind such a body is ever taken for a request.
        exchange.isLast = exchange.headers.count(of: "transfer-encoding") > 0
        exchange.mayPersist = line.version == "HTTP/1.1"
        exchange.state = .body
        return true
    }

    /// Takes a part of a request's body, or its end when the part is empty.
    ///
    /// False ends the connection.
    func proceed(_ exchange: Exchange, _ connection: ConnectionHandle, _ chunk: UploadChunk) -> Bool {
        switch exchange.state {
        case .body where chunk.count > 0:
            guard self.allows(exchange.body.count + chunk.count, for: exchange) else {
                return self.refuse(exchange, connection, .bodyTooLong(limit: self.bodyLimit(of: exchange)))
            }
            chunk.append(to: &exchange.body)
            exchange.peer.received += chunk.count
            return true
        case .body:
            return self.dispatch(exchange, connection)
        case .answered(let reply):
            return self.deliver(reply, exchange, connection)
        case .head, .running, .suspended, .refused, .completed:
            return false
        }
    }

    /// The library is done with a request, answered or not.
    func complete(_ exchange: Exchange) {
        exchange.state = .completed
        exchange.task?.cancel()
        exchange.task = nil
        self.awaitNext(of: exchange.peer)
    }

    private func violation(_ exchange: Exchange, _ line: RequestLine, _ head: HeadReader) -> HTTPError? {
        // First of all, because everything below may look at the target. RFC 9110 §15.5.15.
        guard !Target.hasLongPath(exchange.target) else { return .pathTooLong }
        // RFC 6585 §5: the fields together, or one of them.
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
        // The library refuses what is not a number; one that does not fit into an Int is still too long.
        if let length = head.fields["content-length"].map({ Int($0) ?? .max }), !self.allows(length, for: exchange) {
            return .bodyTooLong(limit: self.bodyLimit(of: exchange))
        }
        return self.isStopping ? .stopping : nil
    }

    /// Whether an answer fits into the connection's memory beside a head: the library would close without a word.
    private func hasRoom(beside head: HeadReader) -> Bool {
        let (bytesOfField, bytesOfAnswer) = (56, 2048)
        return head.size + bytesOfField * head.fields.count + bytesOfAnswer <= self.configuration.memoryLimit
    }

    /// Whether a body may have so many bytes; the resource is asked only when it is more than most may have.
    private func allows(_ count: Int, for exchange: Exchange) -> Bool {
        count <= self.configuration.bodyLimit || count <= self.bodyLimit(of: exchange)
    }

    /// Found once for a request: a body may come in a million chunks, and each asks.
    private func bodyLimit(of exchange: Exchange) -> Int {
        if let limit = exchange.bodyLimit { return limit }
        let limit = Target(exchange.target).flatMap(self.configuration.bodyLimitOf) ?? self.configuration.bodyLimit
        exchange.bodyLimit = limit
        return limit
    }

    /// Answers a request by the rules of HTTP, and ends its connection.
    ///
    /// The library would close with input unread, which makes the kernel send a reset, and a reset can overtake the
    /// answer. So the socket is taken from it, as for a stream, and closed with patience.
    private func refuse(_ exchange: Exchange, _ connection: ConnectionHandle, _ error: HTTPError) -> Bool {
        exchange.state = .refused
        exchange.peer.isTaken = true
        // Without a descriptor to spare the connection just ends.
        guard let copy = try? SocketCalls.duplicate(connection.descriptor) else { return false }
        let request = RefusedRequest(
            error: error,
            method: exchange.methodName,
            target: exchange.target,
            headers: exchange.headers,
            peer: connection.peer
        )
        let response = self.configuration.refused(request, self.configuration.describe(error))
        let answer = response.serialized(hasBody: exchange.method != .head)
        let socket = Socket(owning: copy, isLimited: exchange.peer.isLimited)
        self.lingering.assumeIsolated { $0.end(socket, sending: [Frame(answer)]) }
        return false
    }

    private func dispatch(_ exchange: Exchange, _ connection: ConnectionHandle) -> Bool {
        guard !self.isStopping else { return self.refuse(exchange, connection, .stopping) }
        guard let target = self.target(of: exchange) else {
            return self.refuse(exchange, connection, .malformed("malformed request target"))
        }
        let request = Request(
            method: exchange.method,
            target: target,
            headers: exchange.headers,
            body: exchange.body,
            peer: connection.peer
        )
        exchange.state = .running
        exchange.peer.deadline = .max
        self.pending += 1
        exchange.task = Task.immediate {
            let reply = await self.configuration.handler(request)
            self.finish(exchange, with: reply)
        }
        switch exchange.state {
        case .answered(let reply):
            return self.deliver(reply, exchange, connection)
        case .running:
            exchange.state = .suspended(connection)
            connection.suspend()
            return true
        case .head, .body, .suspended, .refused, .completed:
            preconditionFailure("A running request is answered or waits.")
        }
    }

    /// RFC 9112 §3.2.4: `OPTIONS *` asks about the server; the router knows it as the root path.
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
        case .suspended(let connection):
            exchange.state = .answered(reply)
            connection.resume()
            self.needsRun = true
        case .head, .body, .answered, .refused, .completed:
            break
        }
        guard self.isStopping, self.pending == 0 else { return }
        self.whenIdle?.resume()
        self.whenIdle = nil
    }

    private func deliver(_ reply: Reply, _ exchange: Exchange, _ connection: ConnectionHandle) -> Bool {
        switch reply {
        case .response(var response):
            if self.isStopping || exchange.isLast { response.closesConnection = true }
            exchange.peer.mayGoOn = response.closesConnection
            if exchange.peer.isLimited, response.body.count > SocketCalls.sendBuffer {
                exchange.peer.isLimited = false
                SocketCalls.freeSendBuffer(of: connection.descriptor)
            }
            self.awaitReading(by: exchange.peer)
            let isQueued = connection.queue(response)
            if response.charge != nil {
                // The library has a copy of the body; what that takes is charged until the request has completed.
                response.body = []
                exchange.state = .answered(.response(response))
            }
            return isQueued
        case .detach(let take, let answersOnce, let otherwise):
            guard let copy = try? SocketCalls.duplicate(connection.descriptor) else {
                var response = otherwise()
                response.closesConnection = true
                exchange.peer.mayGoOn = true
                self.awaitReading(by: exchange.peer)
                return connection.queue(response)
            }
            exchange.peer.isTaken = true
            let wayBack = answersOnce ? self.wayBack(behind: exchange, over: copy) : nil
            let socket = Socket(
                owning: copy,
                isLimited: exchange.peer.isLimited,
                takesInterim: exchange.mayPersist,
                wayBack: wayBack
            )
            take(socket)
            return false
        }
    }
}
