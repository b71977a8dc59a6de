import Crypto
import Foundation
import Gzip
import MicroHTTP
import ToastCore

/// The files of the pages as they were at one moment.
///
/// Requests are answered from it, so that none touches the disk.
struct PageTable: Sendable {
    private struct Entry: Sendable {
        let stamp: FileStamp
        let file: Pages.File
        /// Whether it is one of the operator's own styles.
        let isOwn: Bool
    }

    /// By a request's path without its first slash.
    private var entries: [String: Entry] = [:]
    private var bytes = 0
    /// Whether the files that are added are the operator's own styles.
    private var addsOwn = false

    /// The styles among them.
    private(set) var styles: [StyleSheets.Style] = []

    /// The most files, and the most bytes in memory, compressed copies included; past either no table is made.
    private static let (countLimit, byteLimit) = (10_000, 256 * 1024 * 1024)

    private static let styleFolder = "styles/"

    init() {}

    /// Reads the pages' directory, whose links are resolved; files that have not changed are taken from the old table.
    ///
    /// The operator's own styles take the places of files below `styles/`. Only styles that are served are listed.
    ///
    /// - Throws: `tooMuch`, when there are too many files or bytes.
    init(root: String, ownStyles: StyleSheets, replacing old: Self) throws(PagesError) {
        try self.addAll(in: root, below: root, as: "", [root], old)
        self.addsOwn = true
        if let directory = ownStyles.directory {
            for file in ownStyles.files {
                try self.add(directory + "/" + file, below: directory, as: Self.styleFolder + file, [directory], old)
            }
        }
        let styles = self.entries.compactMap { name, entry -> StyleSheets.Style? in
            guard name.hasPrefix(Self.styleFolder),
                let style = StyleSheets.name(of: String(name.dropFirst(Self.styleFolder.count)))
            else { return nil }
            return StyleSheets.Style(name: style, isOwn: entry.isOwn)
        }
        self.styles = styles.sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// The file at a decoded path; a directory stands for its `index.html`.
    func file(_ path: [String]) -> Pages.File? {
        let name = path.joined(separator: "/")
        return self.entries[path.isEmpty || path.last == "" ? name + "index.html" : name]?.file
    }

    /// Adds all files below a directory; `way` has the directories that lead to it, so that no link to one of them is
    /// followed for ever.
    private mutating func addAll(
        in directory: String,
        below root: String,
        as prefix: String,
        _ way: [String],
        _ old: Self
    ) throws(PagesError) {
        // No request's path is deeper.
        guard way.count <= Target.segmentLimit else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        // Hidden files are not served.
        for name in names where !name.hasPrefix(".") && !name.contains("\\") {
            try self.add(directory + "/" + name, below: root, as: prefix + name, way, old)
        }
    }

    private mutating func add(
        _ path: String,
        below root: String,
        as name: String,
        _ way: [String],
        _ old: Self
    ) throws(PagesError) {
        switch FileStatus(of: path) {
        case .file(let stamp): try self.addFile(path, stamp, as: name, old)
        case .directory where !way.contains(path):
            try self.addAll(in: path, below: root, as: name + "/", way + [path], old)
        case .link:
            // The target of a link must be below the directory.
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            guard target.hasPrefix(root + "/"), FileStatus(of: target) != .link else { return }
            try self.add(target, below: root, as: name, way, old)
        case .directory, nil: break
        }
    }

    private mutating func addFile(
        _ path: String,
        _ stamp: FileStamp,
        as name: String,
        _ old: Self
    ) throws(PagesError) {
        guard PageFile.mediaType(of: name) != nil else { return }
        let known = old.entries[name].flatMap { $0.stamp == stamp && stamp.isSettled ? $0.file : nil }
        // An operator's style replaces one of the same name.
        let replaced = self.entries[name]?.file.size
        let (count, bytes) = (self.entries.count - (replaced == nil ? 0 : 1), self.bytes - (replaced ?? 0))
        // Checked before the file is read.
        guard count < Self.countLimit, bytes + stamp.size <= Self.byteLimit else { throw .tooMuch }
        guard let file = known ?? PageFile.read(path) else { return }
        self.bytes = bytes + file.size
        self.entries[name] = Entry(stamp: stamp, file: file, isOwn: self.addsOwn)
    }
}

enum PageFile {
    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "json": "application/json", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/x-icon", "webp": "image/webp", "txt": "text/plain; charset=utf-8",
        "md": "text/plain; charset=utf-8", "yaml": "application/yaml", "ts": "text/plain; charset=utf-8",
        "webmanifest": "application/manifest+json",
    ]

    /// The media type by a file's name; nil when such files are not served.
    static func mediaType(of name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return self.mediaTypes[String(name[name.index(after: dot)...])]
    }

    static func read(_ path: String) -> Pages.File? {
        guard let type = self.mediaType(of: path), let data = FileManager.default.contents(atPath: path) else {
            return nil
        }
        let digest = SHA256.hash(data: data).prefix(12).hexadecimal
        let content = Array(data)
        // Pictures are compressed already.
        let isText = !type.hasPrefix("image/") || type == "image/svg+xml"
        return Pages.File(
            content: content,
            compressed: isText ? Gzip.compressed(content) : nil,
            mediaType: type,
            digest: digest
        )
    }
}
