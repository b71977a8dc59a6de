import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// Answers `GET /v1/settings`.
    func getDefaults(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        try await self.refreshDocuments()
        let documents = self.hub.defaults.documents
        let tag = documents.entityTag
        return .response(request.hasMatch(tag) ? .notModified(tag) : self.response(about: documents))
    }

    /// Answers `PATCH /v1/settings`.
    func updateDefaults(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        try self.checkMemory()
        let json = try request.json(depth: self.limits.depth, ["application/merge-patch+json"])
        let condition = Precondition(request)
        try await self.refreshDocuments()
        do throws(ServerDefaults.ChangeError) {
            let documents = try await self.hub.defaults.change(json) { documents in
                condition.holds(for: documents.entityTag)
            }
            await self.hub.applyDefaults()
            return .response(self.response(about: documents))
        } catch {
            switch error {
            case .changed: throw Problem(.preconditionFailed, condition.problemDetail(about: "The settings are"))
            case .invalid(let error): throw Problem(.invalidSettings, error.issues)
            case .store(let error): throw Problem(from: error)
            }
        }
    }

    /// A response with the settings that clients sent, those of the file, and the effective ones of a channel without
    /// its own, with their sources.
    private func response(about documents: ServerDefaults.Documents) -> Response {
        let response = Response.object { writer in
            writer.member("own", documents.sent)
            if !documents.file.isEmpty { writer.member("file", documents.file) }
            writer.effective(documents.settings)
            writer.warnings(self.warnings(about: documents))
        }
        return response.adding("ETag", documents.entityTag)
    }

    /// The warnings about the settings that clients sent: for all channels, and for each pattern of names.
    private func warnings(about documents: ServerDefaults.Documents) -> [Warning] {
        let groups =
            [("", JSON.object(documents.sent.members))]
            + documents.sent.channels.map { ("/channels/\($0.key)", $0.value) }
        let warnings = groups.lazy.flatMap { pointer, members in
            // Each document was valid when it was sent.
            ((try? Settings(json: members)).map(self.warnings(about:)) ?? []).map { $0.inside(pointer) }
        }
        return Array(warnings.prefix(ValidationError.maximumIssues))
    }
}

extension ServerDefaults.Documents {
    /// A strong entity tag: the digest of both documents.
    fileprivate var entityTag: String { "\"\((self.sent.encoded + self.file.encoded).digest.hexadecimal)\"" }
}
