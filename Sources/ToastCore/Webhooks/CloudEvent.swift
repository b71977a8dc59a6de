/// An event as a webhook gets it: CloudEvents 1.0 in the structured mode of JSON.
///
/// <https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md>
public struct CloudEvent: Hashable, Sendable {
    /// The media type of the document.
    public static let mediaType = "application/cloudevents+json"

    /// The channel and the cursor: the same for every try, and for every webhook.
    public let id: String

    /// The document.
    public let bytes: [UInt8]

    /// Wraps an event; its envelope becomes the data.
    public init(_ event: Event, envelope: [UInt8], channel: ChannelName, epoch: Epoch) {
        let id = "\(channel)/\(Cursor(epoch: epoch, offset: event.offset))"
        var writer = JSONWriter(capacity: envelope.count + 384)
        writer.object { writer in
            writer.member("specversion", "1.0")
            writer.member("id", id)
            writer.member("source", "/v1/channels/\(channel)")
            writer.member("type", "toastd.\(event.type.rawValue)")
            writer.member("subject", event.toastID)
            writer.member("time", event.at)
            writer.member("datacontenttype", "application/json")
            writer.name("data")
            writer.encoded(envelope)
        }
        self.id = id
        self.bytes = writer.bytes
    }
}

extension Event {
    /// The toast that the event is about; `nil` when it is about the channel.
    var toastID: ToastID? {
        switch self.kind {
        case .enqueued(let toast), .presented(let toast, _), .updated(let toast, _): toast.id
        case .acted(let id, _, _), .dismissed(let id, _, _, _, _), .held(let id, _, _, _), .released(let id, _, _, _):
            id
        case .configured: nil
        }
    }
}
