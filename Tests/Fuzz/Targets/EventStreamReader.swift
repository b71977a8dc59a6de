/// Reads `text/event-stream` as browsers do (WHATWG HTML §9.2.6), over bytes: to hold what is sent against.
struct EventStreamReader {
    struct Event: Equatable {
        var id = ""
        var type = ""
        var data: [UInt8] = []
    }

    private(set) var events: [Event] = []
    private var event = Event()
    private var hasData = false

    mutating func read(_ bytes: [UInt8]) {
        var line: [UInt8] = []
        var previous: UInt8 = 0
        for byte in bytes {
            defer { previous = byte }
            if byte == 10, previous == 13 { continue }
            if byte == 10 || byte == 13 {
                self.process(line)
                line = []
            } else {
                line.append(byte)
            }
        }
    }

    private mutating func process(_ line: [UInt8]) {
        guard !line.isEmpty else {
            if self.hasData { self.events.append(self.event) }
            (self.event, self.hasData) = (Event(id: self.event.id), false)
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        switch line[..<colon].map({ Character(Unicode.Scalar($0)) }) {
        case Array("id"): self.event.id = Array(value).text
        case Array("event"): self.event.type = Array(value).text
        case Array("data"):
            if self.hasData { self.event.data.append(10) }
            self.event.data += value
            self.hasData = true
        default: break
        }
    }
}
