import Foundation
import ToastCore

/// A directory of the operator's own styles, if there is one.
///
/// A style is a stylesheet, and its name is the file's. An operator's style replaces a shipped one of the same name.
/// Everything here reads the disk; ``PageTable`` keeps the result.
struct StyleSheets: Sendable {
    struct Style: Equatable, Sendable {
        let name: StyleName
        /// Whether it is the operator's.
        let isOwn: Bool
    }

    /// The path of the directory, links resolved; nil when there is none.
    let directory: String?

    /// Shipped sheets that are no styles: they have the rules that all styles share.
    private static let shared: Set<String> = ["base", "controls", "parts", "stage"]

    private static let suffix = ".css"

    /// The styles in a directory.
    ///
    /// - Throws: When the directory cannot be read, or a sheet in it has a name that no style can have, so that no
    ///   toast could ever be shown in it.
    init(directory: String?) throws(PagesError) {
        self.directory = directory
        guard let directory else { return }
        guard let files = Self.sheets(in: directory) else { throw .noStyles(directory) }
        for file in files where Self.name(of: file) == nil { throw .unfitStyle(directory + "/" + file) }
    }

    /// The names of the styles' files.
    var files: [String] { (self.directory.flatMap(Self.sheets) ?? []).filter { Self.name(of: $0) != nil } }

    private static func sheets(in directory: String) -> [String]? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return nil }
        return names.filter { !$0.hasPrefix(".") && $0.hasSuffix(self.suffix) }.sorted()
    }

    /// The name of a sheet's style; nil when the file is no style.
    static func name(of sheet: String) -> StyleName? {
        guard sheet.hasSuffix(self.suffix) else { return nil }
        let stem = String(sheet.dropLast(self.suffix.count))
        return self.shared.contains(stem) ? nil : StyleName(rawValue: stem)
    }
}
