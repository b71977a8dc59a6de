import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The head of an answer.
struct AnswerHead: Sendable {
    let status: Int
    /// Seconds until the next attempt, if the server asks for some.
    let retryAfter: Double?
    /// The media type without parameters, in lower case.
    let type: String
    /// Where a redirect leads.
    let location: String?

    init(_ answer: HTTPURLResponse) {
        self.status = answer.statusCode
        self.retryAfter = answer.value(forHTTPHeaderField: "Retry-After").flatMap(Self.number)
        let type = answer.value(forHTTPHeaderField: "Content-Type") ?? ""
        self.type = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        self.location = answer.value(forHTTPHeaderField: "Location")
    }

    /// A number of digits only: `Double` also reads `nan` and `inf`, for which no task can sleep.
    static func number(_ text: String) -> Double? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Double(text) : nil
    }
}

/// Sends requests by the delegate of a `URLSession`, because `bytes(for:)` does not exist on Linux.
final class Transport: Sendable {
    private let delegate = TransportDelegate()
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        // Streams and questions each occupy a connection while they wait. Beyond this number, a request would wait for
        // one of them to end until its time is over. macOS gives a process 256 descriptors at first.
        configuration.httpMaximumConnectionsPerHost = 200
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        self.session = URLSession(configuration: configuration, delegate: self.delegate, delegateQueue: nil)
    }

    /// A session keeps its delegate and its threads until it is told that it is used no longer.
    deinit { self.session.finishTasksAndInvalidate() }

    /// Sends a request.
    func send(_ request: URLRequest) -> AnswerParts {
        let (parts, writer) = AnswerParts.make()
        let task = self.session.dataTask(with: request)
        self.delegate.pass(answerTo: task, to: writer)
        // The session lives as long as somebody reads what it brings.
        writer.onEnd { [self] in withExtendedLifetime(self) { task.cancel() } }
        task.resume()
        return parts
    }
}

/// A session has one delegate for all its requests, so this passes the parts of each answer on.
private final class TransportDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // @unchecked Sendable: `writers` is used only under `lock`.
    private let lock = NSLock()
    private var writers: [Int: AnswerParts.Writer] = [:]

    func pass(answerTo task: URLSessionTask, to writer: AnswerParts.Writer) {
        self.lock.withLock { self.writers[task.taskIdentifier] = writer }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let answer = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        self.pass(.head(AnswerHead(answer)), of: dataTask)
        completionHandler(.allow)
    }

    /// Follows no redirect: a session would make a GET of a POST, and its answer would pass for that of the POST.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        self.pass(.body(data), of: dataTask)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let writer = self.lock.withLock { self.writers.removeValue(forKey: task.taskIdentifier) }
        writer?.finish(throwing: error.map { ToastdError.connectionLost($0.localizedDescription) })
    }

    private func pass(_ part: AnswerPart, of task: URLSessionTask) {
        self.lock.withLock { self.writers[task.taskIdentifier] }?.write(part)
    }
}
