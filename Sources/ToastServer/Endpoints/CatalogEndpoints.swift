package import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The longest body that every resource takes, in bytes.
    package var smallestBodyLimit: Int { min(self.limits.documentBytes, self.catalogs.limits.sentBytes) }

    /// The longest body of a hook, in bytes: a code host's event, or a group of alerts, is far longer than its toast.
    private static let hookBytes = 1_048_576

    /// The longest body for a resource, in bytes.
    package func bodyLimit(at target: Target) -> Int {
        if target.path.starts(with: ["v1", "catalogs"]) { return self.catalogs.limits.sentBytes }
        if target.path.starts(with: ["v1", "hooks"]) { return max(self.limits.documentBytes, Self.hookBytes) }
        return self.limits.documentBytes
    }

    private var catalogs: Catalogs { self.hub.catalogs }

    /// Reads documents that other nodes have stored, so that a client sees each change that it was told is stored.
    func refreshDocuments() async throws(Problem) {
        do throws(StoreError) { try await self.hub.refreshDocuments() } catch { throw Problem(from: error) }
    }

    /// Answers `GET /v1/catalogs`.
    func listCatalogs(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        try await self.refreshDocuments()
        let (bytes, tag) = self.list
        return .response(request.hasMatch(tag) ? .notModified(tag) : .json(encoded: bytes).adding("ETag", tag))
    }

    /// The list of the catalogs, and its entity tag, which changes with every text.
    private var list: (bytes: [UInt8], tag: String) {
        let (lexicon, languages) = (self.catalogs.lexicon, self.catalogs.languages)
        let bytes = JSONWriter.encodedObject { writer in
            writer.member("default", lexicon.defaultLanguage)
            self.summarize(languages, lexicon, to: &writer)
        }
        let digests = languages.flatMap { (self.digest(of: $0, in: lexicon) ?? 0).hexadecimal.utf8 }
        return (bytes, Self.tag((bytes + digests).digest))
    }

    /// Answers `PUT /v1/catalogs`: every language of a string catalog.
    func replaceCatalogs(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        guard try Self.format(of: request) == .xcstrings else {
            throw Problem(.unsupportedMediaType, "All languages at once come as application/vnd.apple.xcstrings+json.")
        }
        let catalogs = try await self.catalogs(in: request.body)
        try await self.change(catalogs.mapValues { $0 }, for: request, about: "The catalogs are") { self.list.tag }
        let lexicon = self.catalogs.lexicon
        return .object { self.summarize(catalogs.keys.sorted(), lexicon, to: &$0) }
    }

    /// Answers `GET /v1/catalogs/{language}`.
    func getCatalog(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let language = try request.language()
        try await self.refreshDocuments()
        let lexicon = self.catalogs.lexicon
        guard let digest = self.digest(of: language, in: lexicon) else { throw Problem(.catalogNotFound) }
        let tag = Self.tag(digest)
        let response =
            request.hasMatch(tag)
            ? .notModified(tag)
            : Response.json(encoded: await Self.document(of: lexicon[language] ?? Catalog())).adding("ETag", tag)
        return .response(response.adding("Content-Language", language.rawValue))
    }

    /// Answers `PUT /v1/catalogs/{language}`.
    func replaceCatalog(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let language = try request.language()
        let catalog = try await self.catalog(of: language, in: request)
        let isNew = try await !self.change(catalog, of: language, for: request)
        let lexicon = self.catalogs.lexicon
        let response = Response.json(isNew ? 201 : 200) { self.summarize(language, lexicon, to: &$0) }
        return .response(response.adding("Location", "/v1/catalogs/\(language)"))
    }

    /// Answers `DELETE /v1/catalogs/{language}`: removes the catalog that clients sent.
    func removeCatalog(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let language = try request.language()
        guard try await self.change(nil, of: language, for: request) else { throw Problem(.catalogNotFound) }
        return .noContent
    }

    /// The digest of all texts of a language, also of a sent catalog without keys; `nil` when there is no catalog.
    private func digest(of language: LanguageTag, in lexicon: Lexicon) -> UInt64? {
        lexicon.catalogDigest(of: language) ?? (self.catalogs.languages.contains(language) ? Catalog().digest : nil)
    }

    /// A catalog as a document; written off the loops, because it may have a mebibyte or more.
    @concurrent
    private static func document(of catalog: Catalog) async -> [UInt8] { catalog.encoded }

    /// Replaces or removes the catalog that was sent for a language, if the request's precondition holds.
    ///
    /// - Returns: Whether one had been sent before.
    private func change(
        _ catalog: Catalog?,
        of language: LanguageTag,
        for request: Request
    ) async throws(Problem) -> Bool {
        try await self.change([language: catalog], for: request, about: "The catalog is") {
            self.digest(of: language, in: self.catalogs.lexicon).map(Self.tag)
        }.contains(language)
    }

    /// Replaces or removes catalogs that were sent, if the request's precondition holds for an entity tag.
    ///
    /// - Returns: The languages for which one had been sent before.
    @discardableResult
    private func change(
        _ catalogs: [LanguageTag: Catalog?],
        for request: Request,
        about subject: String,
        tag: () -> String?
    ) async throws(Problem) -> Set<LanguageTag> {
        let condition = Precondition(request)
        do throws(Catalogs.ChangeError) {
            return try await self.catalogs.change(catalogs) { condition.holds(for: tag()) }
        } catch {
            switch error {
            case .tooMany(let limit):
                throw Problem(.catalogTooLarge, "The server holds catalogs of at most \(limit) languages.")
            case .changed: throw Problem(.preconditionFailed, condition.problemDetail(about: subject))
            case .store(let error): throw Problem(from: error)
            }
        }
    }

    private func summarize(_ languages: some Sequence<LanguageTag>, _ lexicon: Lexicon, to writer: inout JSONWriter) {
        writer.array("catalogs") { writer in
            for language in languages { self.summarize(language, lexicon, to: &writer) }
        }
    }

    private func summarize(_ language: LanguageTag, _ lexicon: Lexicon, to writer: inout JSONWriter) {
        let sources = self.catalogs.sources(of: language)
        writer.object { writer in
            writer.member("language", language)
            writer.member("keyCount", lexicon[language]?.count ?? 0)
            writer.object("keyCounts") { writer in
                writer.member("builtIn", sources.builtIn)
                writer.member("files", sources.files)
                writer.member("api", sources.api)
            }
        }
    }

    private static func tag(_ digest: UInt64) -> String { "\"\(digest.hexadecimal)\"" }
}

// MARK: - Catalogs in requests

extension API {
    private enum CatalogFormat: String, CaseIterable {
        case json
        case strings
        case xcstrings
    }

    /// Every language of a string catalog; read off the loops, because it may have a mebibyte or more.
    @concurrent
    private func catalogs(in body: [UInt8]) async throws(Problem) -> [LanguageTag: Catalog] {
        try Self.read { () throws(CatalogError) in
            try StringCatalog(parsing: body, limits: self.catalogs.limits).catalogs
        }
    }

    /// The catalog of one language, read off the loops for the same reason.
    @concurrent
    private func catalog(of language: LanguageTag, in request: Request) async throws(Problem) -> Catalog {
        let (body, limits) = (request.body, self.catalogs.limits)
        switch try Self.format(of: request) {
        case .json:
            return try Self.read { () throws(CatalogError) in try Catalog(json: body, limits: limits) }
        case .strings:
            let encoding = try Self.encoding(of: request)
            return try Self.read { () throws(CatalogError) in
                try Catalog(strings: body, encoding: encoding, limits: limits)
            }
        case .xcstrings:
            if let catalog = try await self.catalogs(in: body)[language] { return catalog }
            throw Problem(.invalidCatalog, at: "/strings", "The document has no text in this language.")
        }
    }

    /// The format that the query names, or else the media type.
    private static func format(of request: Request) throws(Problem) -> CatalogFormat {
        if let format = try request.word("format", CatalogFormat.self) { return format }
        switch request.mediaType {
        case "application/json": return .json
        case "text/x-strings", "application/x-strings", "text/plain": return .strings
        case "application/vnd.apple.xcstrings+json", "application/x-xcstrings+json": return .xcstrings
        default:
            let types = "application/json, text/x-strings or application/vnd.apple.xcstrings+json"
            throw Problem(.unsupportedMediaType, "Send \(types), or name the format.")
        }
    }

    /// The `charset` of the media type; `nil` when it names none.
    private static func encoding(of request: Request) throws(Problem) -> TextEncoding? {
        guard let charset = request.charset else { return nil }
        guard let encoding = TextEncoding(charset: charset) else {
            throw Problem(.unsupportedMediaType, "The character set is UTF-8 or UTF-16.")
        }
        return encoding
    }

    private static func read<Value>(_ parse: () throws(CatalogError) -> Value) throws(Problem) -> Value {
        do throws(CatalogError) { return try parse() } catch { throw Problem(from: error) }
    }
}

extension Request {
    /// The language that the path names.
    fileprivate func language() throws(Problem) -> LanguageTag {
        guard let language = LanguageTag(rawValue: self.parameters["language"] ?? "") else {
            throw Problem(.invalidLanguage, "A language is named as de, pt-BR or zh-Hant.")
        }
        return language
    }
}

extension Problem {
    /// A body that cannot be read as a catalog.
    fileprivate init(from error: CatalogError) {
        switch error {
        case .notJSON(let error): self.init(from: error)
        case .invalid(let error): self.init(.invalidCatalog, error.issues)
        case .tooLarge(let detail): self.init(.catalogTooLarge, detail)
        case .line, .unreadable: self.init(.invalidCatalog, at: "", error.description)
        }
    }
}
