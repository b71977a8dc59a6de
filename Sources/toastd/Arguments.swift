public import ArgumentParser
public import ToastClient
public import ToastCore

extension Role: ExpressibleByArgument {}
extension Placement: ExpressibleByArgument {}

extension Haptic: ExpressibleByArgument {}

extension JSON: ExpressibleByArgument {
    /// Reads what stands on the command line.
    public init?(argument: String) {
        // Where it is wrong is plain to see in a line that somebody has just written.
        guard let value = try? JSON(parsing: Array(argument.utf8)) else { return nil }
        self = value
    }
}

extension Draft.Action: ExpressibleByArgument {
    /// Reads what stands on the command line.
    public init?(argument: String) { self.init(argument) }
}

extension Seconds: ExpressibleByArgument {
    /// Reads what stands on the command line.
    public init?(argument: String) { self.init(argument) }
}

extension ChannelName: ExpressibleByArgument {
    /// Reads what stands on the command line.
    public init?(argument: String) { self.init(rawValue: argument) }
}

extension String {
    /// Whether the text is one word that a header field can hold: printable ASCII.
    var isFieldValue: Bool {
        !self.isEmpty && self.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
