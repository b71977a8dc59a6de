/// A file or directory that cannot be used, and why.
package struct FileFault: Error, CustomStringConvertible {
    /// Its path.
    package let path: String

    /// What is wrong with it, and where.
    package let detail: String

    /// Both in one line.
    package var description: String { "\(self.path): \(self.detail)" }
}
