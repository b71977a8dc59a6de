import Foundation
package import ToastCore

/// A file with the defaults for the settings of channels, as a server reads it when it starts.
///
/// It is a JSON document as `PATCH /v1/settings` takes it; or a property list, which is a theme only, as Toaster's
/// `ToasterConfig.plist` is.
package enum SettingsFile {
    /// The longest file, in bytes.
    private static let maximumLength = 1_048_576

    /// Reads the settings in a file; throws everything that is wrong with it.
    package static func read(_ path: String) throws(FileFault) -> SettingsDefaults {
        // One byte too many is enough to tell; a huge file would take its whole size in memory, and a pipe may not end.
        let data = try FileFault.read(path, upTo: Self.maximumLength + 1)
        guard data.count <= Self.maximumLength else {
            throw FileFault(path: path, detail: "The file is longer than \(Self.maximumLength) bytes.")
        }
        do throws(ValidationError) {
            return try SettingsDefaults(json: try Self.document(in: data))
        } catch {
            let details = error.issues.map { $0.pointer.isEmpty ? $0.detail : "\($0.pointer): \($0.detail)" }
            throw FileFault(path: path, detail: details.joined(separator: " "))
        }
    }

    private static func document(in bytes: [UInt8]) throws(ValidationError) -> JSON {
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        if first == UInt8(ascii: "<") || PropertyList.isBinary(bytes) {
            do throws(Problem) {
                return ["theme": .object(try PropertyList.theme(in: bytes))]
            } catch {
                throw ValidationError(issues: error.issues)
            }
        }
        do throws(JSONSyntaxError) {
            return try JSON(parsing: bytes)
        } catch {
            let line = bytes.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw ValidationError(issues: [ValidationIssue(pointer: "", detail: "line \(line): \(error.detail)")])
        }
    }
}
