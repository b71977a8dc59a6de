public import ArgumentParser
public import ToastClient
public import ToastCore

extension Role: ExpressibleByArgument {}
extension Placement: ExpressibleByArgument {}

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
