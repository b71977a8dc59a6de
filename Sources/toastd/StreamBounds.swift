import MicroHTTP

/// How much one stream may take.
struct StreamBounds: Sendable {
    /// The most channels that it hears.
    let channels: Int

    /// What waits for it.
    let backlog: StreamWriter.Backlog

    /// What a WebSocket's peer may send at once.
    let socket: WebSocketReader.Limits

    /// The most commands of a WebSocket that wait.
    let commands: Int

    init(_ reader: inout SettingsReader) {
        self.channels = reader.fixed("maxChannelsPerStream", 128, in: 1...128)
        self.backlog = StreamWriter.Backlog(
            frames: reader.fixed("maxBacklogFrames", 256, in: 16...65_536),
            bytes: reader.fixed("maxBacklogBytes", 1_048_576, in: 65_536...67_108_864)
        )
        var socket = WebSocketReader.Limits()
        socket.message = reader.fixed("maxMessageBytes", 65_536, in: 1024...262_144)
        socket.fragments = reader.fixed("maxMessageFrames", 256, in: 1...4096)
        self.socket = socket
        self.commands = reader.fixed("maxCommands", 64, in: 1...1024)
    }
}
