import Configuration
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

    init(_ reader: inout NumberReader) throws(SettingsError) {
        self.channels = try reader.fixed("maxChannelsPerStream", 128, in: 1...128)
        self.backlog = StreamWriter.Backlog(
            frames: try reader.fixed("maxBacklogFrames", 256, in: 16...65_536),
            bytes: try reader.fixed("maxBacklogBytes", 1_048_576, in: 65_536...67_108_864)
        )
        var socket = WebSocketReader.Limits()
        socket.message = try reader.fixed("maxMessageBytes", 65_536, in: 1024...262_144)
        socket.fragments = try reader.fixed("maxMessageFrames", 256, in: 1...4096)
        self.socket = socket
        self.commands = try reader.fixed("maxCommands", 64, in: 1...1024)
    }
}
