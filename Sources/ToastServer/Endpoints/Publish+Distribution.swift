import MicroHTTP
import ToastCore
import ToastHub

/// A toast in one of the channels to which a request published it.
struct SharedToast {
    let toast: Toast
    /// Whether the request made it; otherwise it existed before.
    let isNew: Bool
    var isRepeated = false
    var warnings: [Warning] = []
}

extension SharedToast {
    /// The toast of a publish to one channel; `nil` when there is none.
    init?(_ publication: Publication) {
        guard let toast = publication.toasts.first else { return nil }
        self.init(toast: toast, isNew: publication.isNew)
    }

    /// Reads the record that was kept for repetitions; `nil` when it is malformed.
    init?(repeated record: [UInt8]) {
        guard let json = try? JSON(stored: record), let toast = try? Toast(json: json["toast"] ?? json) else {
            return nil
        }
        self.init(toast: toast, isNew: json["isNew"] != false, isRepeated: true)
    }

    /// The record that is kept for repetitions.
    var record: [UInt8] {
        JSONWriter.encodedObject { writer in
            writer.member("isNew", self.isNew)
            writer.member("toast", self.toast)
        }
    }
}

/// The outcome of publishing a toast to several channels, and the response about all of them.
struct Distribution {
    let reader: ResponseLocale
    /// The warnings that hold in every channel.
    let warnings: [Warning]
    /// The toast in each channel, or why the channel does not have it; in the order of the request.
    let results: [(channel: ChannelName, result: Result<SharedToast, Problem>)]

    private var accepted: [SharedToast] { self.results.compactMap { try? $0.result.get() } }

    private var problems: [Problem] {
        self.results.compactMap { if case .failure(let problem) = $0.result { problem } else { nil } }
    }

    /// The problem of the whole request, if all channels refused the toast with problems of the same type; else `nil`.
    var commonProblem: Problem? {
        let problems = self.problems
        guard var problem = problems.first, problems.count == self.results.count,
            problems.allSatisfy({ $0.type == problem.type })
        else { return nil }
        // With one channel, there is nothing to add to its problem.
        guard problems.count > 1 else { return problem }
        if let last = problems.compactMap(\.retryAfter).max() {
            problem.headers.removeAll { $0.name == "Retry-After" }
            problem.retry(after: last)
        }
        problem.extensions = (try? JSON(stored: self.body))?.object ?? [:]
        return problem
    }

    /// The response when some channel has the toast, or channels refused it for different reasons.
    var response: Response {
        let accepted = self.accepted
        let isMixed = accepted.count < self.results.count
        let status = isMixed ? 207 : accepted.contains(where: \.isNew) ? 201 : 200
        let response = self.reader.marking(.json(status, encoded: self.body), accepted.map(\.toast))
        // If some channel refused at first and accepts now, the response is not marked as repeated.
        guard !accepted.isEmpty, accepted.allSatisfy(\.isRepeated) else { return response }
        return response.adding(API.replayField, "true")
    }

    private var body: [UInt8] {
        JSONWriter.encodedObject { writer in
            writer.object("summary") { writer in
                writer.member("channelCount", self.results.count)
                writer.member("acceptedCount", self.accepted.count)
                writer.member("refusedCount", self.problems.count)
            }
            writer.array("results") { writer in for result in self.results { self.write(result, to: &writer) } }
            writer.warnings(self.warnings)
        }
    }

    private func write(
        _ result: (channel: ChannelName, result: Result<SharedToast, Problem>),
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("channel", result.channel)
            switch result.result {
            case .success(let published):
                writer.member("status", published.isNew ? 201 : 200)
                writer.member("toast", self.reader.toast(published.toast, isNew: published.isNew))
                writer.warnings(published.warnings)
            case .failure(let problem):
                writer.member("status", problem.type.status)
                writer.name("problem")
                problem.write(to: &writer)
            }
        }
    }
}
