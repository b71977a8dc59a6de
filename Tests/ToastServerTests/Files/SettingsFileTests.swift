import Foundation
import Testing
import ToastCore
import ToastServer

@Suite struct SettingsFileTests {
    private func read(_ text: String) throws -> SettingsDefaults {
        let file = FileManager.default.temporaryDirectory.appending(path: "settings-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        return try SettingsFile.read(file.path())
    }

    @Test func `a file is a document as the API takes it`() throws {
        #expect(try self.read(#"{"capacity": 7}"#) == SettingsDefaults(json: ["capacity": 7]))
    }

    @Test func `a property list is a theme`() throws {
        let list = "\n<plist version=\"1.0\"><dict><key>background</key><string>#102030</string></dict></plist>"
        #expect(try self.read(list) == SettingsDefaults(json: ["theme": ["background": "#102030"]]))
    }

    @Test(arguments: [
        (#"{"capacity": "x"}"#, "/capacity: "), ("{\n\n1", "line 3: "),
        ("<plist><dict><key>background</key><string>red</string></dict></plist>", "/background: "),
        ("<plist>", "A property list with a dictionary of colours is expected."),
    ])
    func `a fault names its place in the file`(text: String, place: String) {
        let fault = #expect(throws: FileFault.self) { try self.read(text) }
        #expect(fault?.detail.contains(place) == true)
    }

    @Test func `a file that is too long is not read as a whole`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "settings-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        // A hole, which takes no room on the disk, but would not fit into memory.
        try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 40)
        let fault = #expect(throws: FileFault.self) { try SettingsFile.read(file.path()) }
        #expect(fault?.detail == "The file is longer than 1048576 bytes.")
    }

    @Test func `a file that is not there cannot be read`() {
        let fault = #expect(throws: FileFault.self) { try SettingsFile.read("/no/such/file") }
        #expect(fault?.description == "/no/such/file: there is no such file")
    }
}
