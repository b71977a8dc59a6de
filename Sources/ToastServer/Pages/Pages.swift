import Foundation
import MicroHTTP
import Synchronization
import ToastAccess
import ToastCore

/// The files that browsers get: everything below one directory, read at the start and again when they have changed.
///
/// One object for all loops. Requests are answered from a table in memory; ``refresh()``, off the loops, renews it.
package final class Pages: Sendable {
    struct File: Sendable {
        let content: [UInt8]
        /// The content compressed; nil for pictures, and when that would make it longer.
        let compressed: [UInt8]?
        let mediaType: String
        /// A digest of the content, for entity tags.
        let digest: String

        /// The bytes that it takes in memory.
        var size: Int { self.content.count + (self.compressed?.count ?? 0) }
    }

    private let root: String
    private let securityHeaders: [(String, String)]
    private let ownStyles: StyleSheets
    private let table: Mutex<PageTable>

    /// The API's description, in the directory or beside it; nil when it is not there.
    let description: File?

    /// Pages below a directory.
    ///
    /// - Parameters:
    ///   - directory: Where they are.
    ///   - ownStyles: A directory of the operator's stylesheets, each a style with the name of its file; nil when there
    ///     is none.
    ///   - ancestors: The pages that may show them in a frame.
    ///   - isShared: Whether pages of other origins may load the modules and styles.
    /// - Throws: When the directory has no `index.html` or too many files or bytes, or a sheet in `ownStyles` is no
    ///   style.
    package init(
        directory: String,
        ownStyles: String? = nil,
        framedBy ancestors: FrameAncestors = .none,
        isShared: Bool = false
    ) throws(PagesError) {
        self.securityHeaders = Self.securityHeaders(ancestors, isShared: isShared)
        self.root = Self.resolved(directory)
        self.ownStyles = try StyleSheets(directory: ownStyles.map(Self.resolved))
        self.description = PageFile.read(self.root + "/openapi.yaml") ?? PageFile.read(self.root + "/../openapi.yaml")
        let table = try PageTable(root: self.root, ownStyles: self.ownStyles, replacing: PageTable())
        guard table.file(["index.html"]) != nil else { throw .noIndex(directory) }
        self.table = Mutex(table)
    }

    /// The styles that a toast can be shown in, in the order of their names.
    var styles: [StyleSheets.Style] { self.table.withLock { $0.styles } }

    func hasStyle(_ name: StyleName) -> Bool { self.table.withLock { $0.styles.contains { $0.name == name } } }

    /// The file at a decoded path; a directory stands for its `index.html`.
    func file(_ path: [String]) -> File? { self.table.withLock { $0.file(path) } }

    /// Reads files that have changed, and serves them from now on; for one caller at a time, off the loops.
    ///
    /// - Throws: `tooMuch`, when there are too many files or bytes; then the old files are still served.
    @concurrent
    package func refresh() async throws(PagesError) {
        let old = self.table.withLock { $0 }
        let new = try PageTable(root: self.root, ownStyles: self.ownStyles, replacing: old)
        self.table.withLock { $0 = new }
    }

    /// The response with a file; 304 when the client has it already.
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

    private static func resolved(_ directory: String) -> String {
        URL(fileURLWithPath: directory, isDirectory: true).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// Pages run only what this server sends as a file: no inline script or style, no string as code.
    ///
    /// `trusted-types` allows one policy, with which the pages' `worker.js` registers the service worker. A page can
    /// create a policy of a name only once, so no other script can create it again.
    private static func securityHeaders(_ ancestors: FrameAncestors, isShared: Bool) -> [(String, String)] {
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; "
                    + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                    + "frame-ancestors \(ancestors.sources); require-trusted-types-for 'script'; trusted-types toastd-worker"
            ),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            // The files are public; the API's responses are not, and are never shared.
            ("Cross-Origin-Resource-Policy", isShared ? "cross-origin" : "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ]
    }
}

/// Why there are no pages to serve.
package enum PagesError: Error, Equatable, Sendable {
    /// The directory does not exist, or has no `index.html`: name another one.
    case noIndex(String)

    /// The directories have more files or bytes than a server keeps in memory: name another directory, or move some
    /// away.
    case tooMuch

    /// The directory of own styles cannot be read.
    case noStyles(String)

    /// A stylesheet whose name no toast can have as its style.
    case unfitStyle(String)
}

extension PagesError: CustomStringConvertible {
    /// The reason in a sentence.
    package var description: String {
        switch self {
        case .noIndex(let directory): "There is no index.html in \(directory). Name the viewer's files with --public."
        case .tooMuch: "The pages have more than 10,000 files or 256 MiB, and the server keeps them all in memory."
        case .noStyles(let directory): "The styles in \(directory) cannot be read."
        case .unfitStyle(let path):
            "\(path) is no name for a style: 1 to 32 lower-case letters, digits and hyphens, and none of the shared sheets (base, controls, parts, stage)."
        }
    }
}
