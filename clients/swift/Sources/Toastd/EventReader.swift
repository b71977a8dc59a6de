import Foundation

/// Collects the bytes of a stream of Server-Sent Events, and returns the events that they complete.
struct EventReader {
    /// The seconds that the server asks for before a reconnection.
    private(set) var retry = 0.0
    /// The cursor that the stream has reached without a further event, as one that selects events does.
    private(set) var position: String?
    private var id: String?
    private var line: [UInt8] = []
    private var data: [UInt8] = []

    /// Leaves out events that are not what the API describes.
    mutating func feed(_ bytes: Data) -> [ToastEvent] {
        var events: [ToastEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                self.line.append(byte)
                continue
            }
            if self.line.last == UInt8(ascii: "\r") { self.line.removeLast() }
            if let event = self.take() { events.append(event) }
            self.line.removeAll(keepingCapacity: true)
        }
        return events
    }

    /// Takes a line; an empty one completes an event.
    private mutating func take() -> ToastEvent? {
        guard !self.line.isEmpty else {
            defer { (self.data, self.id) = ([], nil) }
            self.position = self.data.isEmpty ? self.id ?? self.position : nil
            // The stream goes on after an event that cannot be read.
            return try? JSONDecoder().decode(ToastEvent.self, from: Data(self.data))
        }
        if let value = self.value(of: "data") {
            if !self.data.isEmpty { self.data.append(UInt8(ascii: "\n")) }
            self.data += value
        } else if let value = self.value(of: "id") {
            self.id = String(decoding: value, as: UTF8.self)
        } else if let value = self.value(of: "retry"),
            let milliseconds = AnswerHead.number(String(decoding: value, as: UTF8.self))
        {
            self.retry = milliseconds / 1000
        }
        return nil
    }

    /// The value of the line, if it has this field; one space after the colon is not part of it.
    private func value(of field: String) -> ArraySlice<UInt8>? {
        guard self.line.starts(with: Array("\(field):".utf8)) else { return nil }
        let value = self.line.dropFirst(field.utf8.count + 1)
        return value.first == UInt8(ascii: " ") ? value.dropFirst() : value
    }
}
