import Foundation
import Testing
import ToastCore
import ToastServer

@Suite struct CatalogFilesTests {
    /// Writes files into a temporary directory, and reads it.
    private func catalogs(_ files: [String: String]) throws -> [LanguageTag: Catalog] {
        let directory = FileManager.default.temporaryDirectory.appending(path: "catalogs-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        for (name, text) in files {
            let file = directory.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        return try CatalogFiles(directory: directory.path()).catalogs
    }

    @Test func laterNamesWinKeyByKey() throws {
        let catalogs = try self.catalogs([
            "de.json": #"{"a": "json", "b": "json"}"#, "de.lproj/Localizable.strings": "b = lproj; c = lproj;",
            "de.strings": "c = strings;", "notes.txt": "x", ".de.json": "{", "de.lproj/Other.strings": "=",
        ])
        #expect(
            catalogs == [.german: Catalog(["a": .format("json"), "b": .format("lproj"), "c": .format("strings")])]
        )
    }

    @Test(
        arguments: [
            ("de.json", #"{"a": []}"#, "/a"), ("de.strings", "\n\na", "line 3"),
            ("de.lproj/Localizable.strings", "a", "Localizable.strings: line 1"),
            ("x.xcstrings", "{}", "/sourceLanguage"), ("deutsch.json", "{}", "deutsch.json: The name"),
            ("Base.lproj/Localizable.strings", "", "Base.lproj: The name"),
        ]
    )
    func aFaultNamesTheFileAndThePlace(name: String, text: String, place: String) {
        let fault = #expect(throws: FileFault.self) { try self.catalogs([name: text]) }
        #expect(fault?.description.contains(place) == true)
        #expect(fault?.path.contains(name.prefix { $0 != "/" }) == true)
    }

    @Test func aDirectoryThatIsNotThereIsAFault() {
        #expect(throws: FileFault.self) { try CatalogFiles(directory: "/no/such/directory") }
    }
}
