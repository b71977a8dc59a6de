import Foundation
package import ToastCore

/// The catalogs of a directory, as a server reads them when it starts.
///
/// | name | holds |
/// |---|---|
/// | `de.json` | the flat form |
/// | `de.strings` | Apple's strings |
/// | `de.lproj/Localizable.strings` | the same, as Xcode lays it out |
/// | `*.xcstrings` | a string catalog, of many languages |
///
/// Files are read in the order of their names; of two with the same key of one language the later wins. Other files are
/// ignored.
package struct CatalogFiles: Sendable {
    /// The texts of each language.
    package private(set) var catalogs: [LanguageTag: Catalog] = [:]

    private let limits: CatalogLimits

    /// Reads the directory at a path, whose catalogs may hold as much as `limits` say.
    ///
    /// - Throws: The first file that is wrong.
    package init(directory: String, limits: CatalogLimits = .standard) throws(FileFault) {
        self.limits = limits
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            throw FileFault(path: directory, detail: "The directory cannot be read.")
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            try self.read(name, at: directory + "/" + name)
        }
    }

    private mutating func read(_ name: String, at path: String) throws(FileFault) {
        guard let dot = name.lastIndex(of: ".") else { return }
        let stem = String(name[..<dot])
        switch name[dot...] {
        case ".json":
            let language = try Self.language(stem, path)
            let catalog = try self.parse(path) { (bytes) throws(CatalogError) in
                try Catalog(json: bytes, limits: self.limits)
            }
            self.add(catalog, language)
        case ".strings":
            self.add(try self.strings(path), try Self.language(stem, path))
        case ".lproj":
            // Xcode also has such directories without texts.
            let file = path + "/Localizable.strings"
            guard FileManager.default.fileExists(atPath: file) else { return }
            self.add(try self.strings(file), try Self.language(stem, path))
        case ".xcstrings":
            let document = try self.parse(path) { (bytes) throws(CatalogError) in
                try StringCatalog(parsing: bytes, limits: self.limits)
            }
            for (language, catalog) in document.catalogs { self.add(catalog, language) }
        default:
            return
        }
    }

    private mutating func add(_ catalog: Catalog, _ language: LanguageTag) {
        self.catalogs[language] = self.catalogs[language]?.overlaid(with: catalog) ?? catalog
    }

    private func strings(_ path: String) throws(FileFault) -> Catalog {
        try self.parse(path) { (bytes) throws(CatalogError) in try Catalog(strings: bytes, limits: self.limits) }
    }

    private func parse<Value>(
        _ path: String,
        _ parse: ([UInt8]) throws(CatalogError) -> Value
    ) throws(FileFault) -> Value {
        // One byte too many is enough to tell.
        let bytes = try FileFault.read(path, upTo: self.limits.documentBytes + 1)
        do throws(CatalogError) {
            return try parse(bytes)
        } catch {
            throw FileFault(path: path, detail: error.description)
        }
    }

    /// The language of a file's name, in which Apple's older tools write an underscore: `pt_BR.lproj`.
    private static func language(_ stem: String, _ path: String) throws(FileFault) -> LanguageTag {
        guard let language = LanguageTag(rawValue: stem.replacing("_", with: "-")) else {
            throw FileFault(path: path, detail: "The name is not that of a language, as de, pt-BR or zh-Hant.")
        }
        return language
    }
}
