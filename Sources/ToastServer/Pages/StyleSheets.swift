import Foundation
import ToastCore

/// The styles that viewers can show toasts in: those that are shipped, and a directory of the operator's own.
///
/// A style is a stylesheet, and its name is the file's. An operator's style replaces a shipped one of the same name.
/// Everything here reads the disk; ``PageTable`` keeps the result.
struct StyleSheets: Sendable {
    /// A style by its name.
    struct Style: Equatable, Sendable {
        let name: StyleName
        /// Whether it is the operator's.
        let isOwn: Bool
    }

    private let shipped: String
    /// The operator's directory, links resolved; nil when there is none.
    let own: String?

    /// Sheets in the same directory that are no styles: they have the rules that all styles share.
    private static let shared: Set<String> = ["base", "controls", "parts", "stage"]

    private static let suffix = ".css"

    /// Styles of two directories: the viewer's, and the operator's, links resolved.
    ///
    /// - Throws: When the operator's directory cannot be read, or a sheet in it has a name that no style can have, so
    ///   that no toast could ever be shown in it.
    init(shipped: String, own: String?) throws(PagesError) {
        self.shipped = shipped
        self.own = own
        guard let own else { return }
        guard let files = Self.sheets(in: own) else { throw .noStyles(own) }
        for file in files where Self.name(of: file) == nil { throw .unfitStyle(own + "/" + file) }
    }

    /// All styles, in the order of their names.
    var all: [Style] {
        let own = self.own.map(Self.names) ?? []
        let shipped = Self.names(in: self.shipped).subtracting(own)
        return (own.map { Style(name: $0, isOwn: true) } + shipped.map { Style(name: $0, isOwn: false) })
            .sorted { $0.name.rawValue < $1.name.rawValue }
    }

    /// The files of the operator's own styles.
    var ownSheets: [String] { (self.own.flatMap(Self.sheets) ?? []).filter { Self.name(of: $0) != nil } }

    private static func names(in directory: String) -> Set<StyleName> {
        Set((self.sheets(in: directory) ?? []).compactMap(self.name))
    }

    private static func sheets(in directory: String) -> [String]? {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return nil }
        return names.filter { !$0.hasPrefix(".") && $0.hasSuffix(self.suffix) }.sorted()
    }

    /// The name of a sheet's style; nil when the sheet is no style.
    private static func name(of sheet: String) -> StyleName? {
        let stem = String(sheet.dropLast(self.suffix.count))
        return self.shared.contains(stem) ? nil : StyleName(rawValue: stem)
    }
}
