/// Why bytes are not a catalog; their author can correct them.
public enum CatalogError: Error, Equatable, Sendable, CustomStringConvertible {
    /// They are not JSON.
    case notJSON(JSONSyntaxError)

    /// They are JSON, but parts of it are invalid.
    case invalid(ValidationError)

    /// A line of a `.strings` file, counted from 1, cannot be read.
    case line(Int, String)

    /// They are of another format, or damaged.
    case unreadable(String)

    /// They exceed a limit.
    case tooLarge(String)

    /// The first fault and its place, in one line.
    public var description: String {
        switch self {
        case .notJSON(let error): "byte \(error.offset)\(error.pointer.map { ", in \($0)" } ?? ""): \(error.detail)"
        case .invalid(let error):
            error.issues.first.map { "\($0.pointer.isEmpty ? "the document" : $0.pointer): \($0.detail)" } ?? "invalid"
        case .line(let line, let detail): "line \(line): \(detail)"
        case .unreadable(let detail), .tooLarge(let detail): detail
        }
    }
}

/// How much a catalog may contain; what exceeds a limit is refused.
public struct CatalogLimits: Hashable, Sendable {
    /// The longest document, in bytes.
    public var documentBytes = 16 * 1024 * 1024

    /// The longest document that can be sent, in bytes; checked where the request is read.
    public var sentBytes = 1024 * 1024

    /// The most keys of a language.
    public var keys = 10_000

    /// The longest key, in code points; a publisher's keys are shorter (``Limits/nameLength``).
    public var keyLength = 1024

    /// The longest format, in code points.
    public var formatLength = Limits.standard.textLength

    /// The most languages of a document, and of a server.
    public var languages = 100

    /// Whether combining marks in a row are limited; see `String.mostMarks`.
    var limitsMarks = true

    /// The limits unless the configuration says otherwise.
    public static let standard = Self()

    /// The standard limits.
    public init() {}

    /// The same limits without those of size: for stored catalogs that are read back.
    public var ofKept: Self {
        var limits = self
        (limits.documentBytes, limits.keys, limits.limitsMarks) = (.max, .max, false)
        return limits
    }

    func check(_ bytes: [UInt8]) throws(CatalogError) {
        guard bytes.count <= self.documentBytes else {
            throw .tooLarge("A catalog has at most \(self.documentBytes) bytes.")
        }
    }

    /// The limits of the readers that catalogs share with toasts.
    var issues: Issues {
        var limits = Limits()
        limits.textLength = self.formatLength
        return Issues(limits: limits)
    }
}

extension JSON {
    init(catalog bytes: [UInt8], _ limits: CatalogLimits) throws(CatalogError) {
        try limits.check(bytes)
        // Editors on Windows put a byte order mark in front, which RFC 8259 §8.1 allows to ignore.
        let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        do throws(JSONSyntaxError) {
            let text = hasMark ? Array(bytes.dropFirst(3)) : bytes
            self = try JSON(parsing: text, limitsMarks: limits.limitsMarks)
        } catch {
            throw .notJSON(error)
        }
    }
}
