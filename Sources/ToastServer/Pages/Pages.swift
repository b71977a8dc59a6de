import Crypto
import Foundation
import Gzip
import MicroHTTP

/// The files that browsers get: everything below one directory, read again when they have changed, so that an edit shows.
public struct Pages: Sendable {
    struct File: Sendable {
        let content: [UInt8]
        /// The content compressed, where that makes it smaller.
        let compressed: [UInt8]?
        let mediaType: String
        /// A digest of the content, which makes strong validators.
        let digest: String
    }

    private let root: URL
    private let securityHeaders: [(String, String)]
    private let cache = PageCache()

    /// The styles that a toast can be shown in.
    let styles: StyleSheets

    /// The API's description, which lies beside the directory.
    let description: File?

    /// Pages below a directory.
    ///
    /// - Parameters:
    ///   - directory: Where they are.
    ///   - ownStyles: A directory of stylesheets, each of them a style of its file's name; nil when there are none
    ///     beside those below `styles/`.
    ///   - ancestors: Whose pages may show them in a frame.
    ///   - isShared: Whether pages of other origins load the modules and styles.
    /// - Throws: When the directory has no `index.html`, or a file of the other is no style.
    public init(
        directory: String,
        ownStyles: String? = nil,
        framedBy ancestors: FrameAncestors = .none,
        isShared: Bool = false
    ) throws(PagesError) {
        self.securityHeaders = Self.securityHeaders(ancestors, isShared: isShared)
        self.root = Self.resolved(directory)
        self.styles = try StyleSheets(
            shipped: self.root.appendingPathComponent("styles", isDirectory: true),
            own: ownStyles.map(Self.resolved)
        )
        let beside = self.root.deletingLastPathComponent().appendingPathComponent("openapi.yaml")
        self.description = Self.read(self.root.appendingPathComponent("openapi.yaml")) ?? Self.read(beside)
        guard self.file(["index.html"]) != nil else { throw .noIndex(directory) }
    }

    /// The file at a decoded path; a directory stands for its `index.html`.
    func file(_ path: [String]) -> File? {
        // Hidden files are nobody's business, and segments that climb never get here.
        guard !path.contains(where: { $0.hasPrefix(".") || $0.contains("\\") }) else { return nil }
        if let (directory, name) = self.styles.ownSheet(path) {
            return self.file(directory.appendingPathComponent(name), below: directory)
        }
        var url = path.reduce(self.root) { $0.appendingPathComponent($1) }
        if path.last == "" || path.isEmpty { url.appendPathComponent("index.html") }
        return self.file(url, below: self.root)
    }

    /// A link may lead anywhere; what it leads to has to lie below the directory.
    private func file(_ url: URL, below directory: URL) -> File? {
        let file = url.resolvingSymlinksInPath()
        guard file.path.hasPrefix(directory.path + "/") else { return nil }
        return self.cache.file(at: file.path) { Self.read(file) }
    }

    /// A file, or the word that the client has it already.
    func response(to request: Request, with file: File) -> Response {
        // Two encodings are two representations, and a strong validator is of one of them (RFC 9110 §8.8.3.3).
        let isCompressed = file.compressed != nil && request.accepts(encoding: "gzip")
        let tag = isCompressed ? "\"\(file.digest)-gzip\"" : "\"\(file.digest)\""
        let body = isCompressed ? file.compressed ?? file.content : file.content
        var response = request.hasMatch(tag) ? Response(status: 304) : Response(status: 200, body: body)
        if response.status == 200 {
            response.addHeader("Content-Type", file.mediaType)
            if isCompressed { response.addHeader("Content-Encoding", "gzip") }
        }
        response.addHeader("ETag", tag)
        response.addHeader("Vary", "Accept-Encoding")
        response.addHeader("Cache-Control", "no-cache")
        for (name, value) in self.securityHeaders { response.addHeader(name, value) }
        return response
    }

    private static func resolved(_ directory: String) -> URL {
        URL(fileURLWithPath: directory, isDirectory: true).standardizedFileURL.resolvingSymlinksInPath()
    }

    private static func read(_ url: URL) -> File? {
        guard let type = self.mediaTypes[url.pathExtension], let data = try? Data(contentsOf: url) else { return nil }
        let digest = SHA256.hash(data: data).prefix(12).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        let content = Array(data)
        // Pictures are compressed already.
        let isText = !type.hasPrefix("image/") || type == "image/svg+xml"
        return File(
            content: content,
            compressed: isText ? Gzip.compressed(content) : nil,
            mediaType: type,
            digest: digest.joined()
        )
    }

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/x-icon", "webp": "image/webp", "txt": "text/plain; charset=utf-8",
        "md": "text/plain; charset=utf-8", "yaml": "application/yaml", "ts": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
    ]

    /// Nothing runs that was not served from here: no inline script or style, no string that becomes code.
    private static func securityHeaders(_ ancestors: FrameAncestors, isShared: Bool) -> [(String, String)] {
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; "
                    + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors \(ancestors.sources); require-trusted-types-for 'script'; trusted-types 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            // The files are nobody's secret; the API's answers are, and stay at home.
            ("Cross-Origin-Resource-Policy", isShared ? "cross-origin" : "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ]
    }
}

/// Why there are no pages to serve.
public enum PagesError: Error, Equatable, Sendable {
    /// The directory does not exist, or has no `index.html`: name another one.
    case noIndex(String)

    /// The directory of own styles cannot be read.
    case noStyles(String)

    /// A stylesheet whose name no toast can have as its style.
    case unfitStyle(String)
}

extension PagesError: CustomStringConvertible {
    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .noIndex(let directory): "There is no index.html in \(directory). Name the viewer's files with --public."
        case .noStyles(let directory): "The styles in \(directory) cannot be read."
        case .unfitStyle(let path):
            "\(path) is no name for a style: 1 to 32 lower-case letters, digits and hyphens, and none of the shared sheets (base, controls, parts, stage)."
        }
    }
}

extension API {
    /// Answers `GET` of everything that is not the API.
    func page(_ request: Request) async throws(Problem) -> Reply {
        guard request.target.path.first != "v1", let file = self.pages.file(request.target.path) else {
            throw Problem(.notFound)
        }
        return .response(self.pages.response(to: request, with: file))
    }
}
