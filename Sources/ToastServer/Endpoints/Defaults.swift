import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /v1/settings`.
    func getDefaults(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        try await self.refreshDocuments()
        let answer = DefaultsAnswer(documents: self.hub.defaults.documents)
        let tag = answer.entityTag
        return .response(request.hasMatch(tag) ? .notModified(tag) : answer.response)
    }

    /// Answers `PATCH /v1/settings`.
    func updateDefaults(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        try self.checkMemory()
        let json = try request.json(depth: self.limits.depth, ["application/merge-patch+json"])
        let condition = Precondition(request)
        try await self.refreshDocuments()
        do throws(ServerDefaults.ChangeError) {
            let documents = try await self.hub.defaults.change(json) { documents in
                condition.holds(for: DefaultsAnswer(documents: documents).entityTag)
            }
            await self.hub.applyDefaults()
            return .response(DefaultsAnswer(documents: documents).response)
        } catch {
            switch error {
            case .changed: throw Problem(.preconditionFailed, condition.problemDetail(about: "The settings are"))
            case .invalid(let error): throw Problem(.invalidSettings, error.issues)
            case .unavailable(let error): throw Problem(from: error)
            }
        }
    }
}

/// The server's defaults in a response.
private struct DefaultsAnswer {
    let documents: ServerDefaults.Documents

    /// A strong entity tag: the text of both documents, hashed.
    var entityTag: String { "\"\((self.documents.sent.encoded + self.documents.file.encoded).digest.hexadecimal)\"" }

    /// The settings that were sent, those of the file, the effective ones of a channel without its own, and their
    /// sources.
    var response: Response {
        let settings = self.documents.settings
        let response = Response.object { writer in
            writer.member("own", self.documents.sent)
            if !self.documents.file.isEmpty { writer.member("file", self.documents.file) }
            writer.effective(settings)
            writer.warnings(self.warnings)
        }
        return response.adding("ETag", self.entityTag)
    }

    /// Warnings about colours that are hard to see.
    private var warnings: [Warning] {
        let groups =
            [("", JSON.object(self.documents.sent.members))]
            + self.documents.sent.channels.map { ("/channels/\($0.key)", $0.value) }
        let warnings = groups.lazy.flatMap { pointer, members in
            // It was checked when it was sent.
            ((try? Settings(json: members))?.warnings ?? []).map { $0.inside(pointer) }
        }
        return Array(warnings.prefix(ValidationError.maximumIssues))
    }
}
