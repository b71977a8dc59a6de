public import ArgumentParser
package import ToastClient
package import ToastCore

extension Role: ExpressibleByArgument {}
extension Placement: ExpressibleByArgument {}

extension Haptic: ExpressibleByArgument {}

extension JSON: ExpressibleByArgument {
    package init?(argument: String) {
        // Without the place of the error, which is plain in such a short text.
        guard let value = try? JSON(parsing: Array(argument.utf8)) else { return nil }
        self = value
    }
}

extension Draft.Action: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Seconds: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension ChannelName: ExpressibleByArgument {}

extension String {
    /// Whether the text can be the value of a header field: one word of printable ASCII.
    var isFieldValue: Bool {
        !self.isEmpty && self.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
