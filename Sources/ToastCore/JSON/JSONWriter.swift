/// Writes JSON text straight into bytes, without white space.
///
/// The caller gives names, values and nesting in order; the writer adds commas and escapes texts. It does not check
/// that the calls nest.
public struct JSONWriter: ~Copyable {
    /// The text so far; other types add to it only inside a value, as in ``quoted(_:)``.
    var buffer: ByteBuffer

    /// Whether the next name or value follows another one.
    private var followsValue = false

    /// The instant that was written last, and the place of its text: events of one moment repeat the same instant.
    private var lastInstant: (instant: Instant, place: Int)?

    /// A writer that has written nothing.
    public init(capacity: Int = 512) {
        self.buffer = ByteBuffer(capacity: capacity)
    }

    /// The text so far, in UTF-8.
    public var bytes: [UInt8] { self.buffer.bytes }

    /// The text of an object whose members the body writes.
    package static func encodedObject(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(members)
        return writer.bytes
    }

    /// Writes a separate text after the present one and returns it, so that several share one buffer.
    mutating func separately(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        let start = self.buffer.count
        self.followsValue = false
        body(&self)
        return self.buffer.bytes(from: start)
    }

    /// Writes an object whose members the body writes.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        self.nested(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    /// Writes an array whose values the body writes.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        self.nested(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// Writes the name of a member, which needs no escapes; its value comes next.
    public mutating func name(_ name: StaticString) {
        self.buffer.member(name, followsValue: self.followsValue)
        self.followsValue = false
    }

    /// Writes a value.
    public mutating func value(_ value: some JSONWritable) {
        value.write(to: &self)
    }

    /// Writes a member.
    public mutating func member(_ name: StaticString, _ value: some JSONWritable) {
        self.name(name)
        value.write(to: &self)
    }

    /// Writes a member whose name may need escapes, if there is a value.
    public mutating func member(named name: String, _ value: (some JSONWritable)?) {
        guard let value else { return }
        self.string(name)
        self.buffer.append(UInt8(ascii: ":"))
        self.followsValue = false
        value.write(to: &self)
    }

    /// Writes a member if there is a value, and nothing otherwise.
    public mutating func member(_ name: StaticString, _ value: (some JSONWritable)?) {
        guard let value else { return }
        self.member(name, value)
    }

    /// Writes a member that is an object.
    public mutating func object(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        self.object(body)
    }

    /// Writes a member that is an array.
    public mutating func array(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(name)
        self.array(body)
    }

    /// Writes `null`.
    public mutating func null() {
        self.token("null")
    }

    /// Writes a value that is JSON text already.
    public mutating func encoded(_ text: [UInt8]) {
        self.encoded(text[...])
    }

    /// Writes a value that is JSON text already.
    public mutating func encoded(_ text: ArraySlice<UInt8>) {
        self.separate()
        self.buffer.append(text)
    }

    /// Writes a text between quotes, as ``JSONParser`` reads it back.
    mutating func string(_ text: String) {
        guard text.needsEscapes else { return self.plain(text) }
        self.quoted { writer in
            for byte in text.utf8 { writer.escaped(byte) }
        }
    }

    /// Writes a string whose characters the body writes: ASCII without quotes and backslashes.
    mutating func quoted(_ body: (inout JSONWriter) -> Void) {
        self.separate()
        self.buffer.append(UInt8(ascii: "\""))
        body(&self)
        self.buffer.append(UInt8(ascii: "\""))
    }

    /// Writes a text that needs no escapes between quotes.
    mutating func plain(_ text: String) {
        self.separate()
        self.buffer.append(quoted: text)
    }

    mutating func instant(_ instant: Instant) {
        self.quoted { writer in
            let place = writer.buffer.count
            if let (last, text) = writer.lastInstant, last == instant {
                writer.buffer.appendCopy(of: text..<text + Instant.textLength)
            } else {
                instant.spell(to: &writer.buffer)
                writer.lastInstant = (instant, place)
            }
        }
    }

    /// Writes a value that is ASCII without quotes.
    mutating func token(_ text: String) {
        self.separate()
        self.buffer.append(text)
    }

    mutating func integer(_ number: Int64) {
        self.separate()
        if number < 0 { self.buffer.append(UInt8(ascii: "-")) }
        self.buffer.digits(number.magnitude)
    }

    private mutating func nested(_ opening: UInt8, _ closing: UInt8, _ body: (inout JSONWriter) -> Void) {
        self.separate()
        self.buffer.append(opening)
        self.followsValue = false
        body(&self)
        self.buffer.append(closing)
        self.followsValue = true
    }

    private mutating func separate() {
        if self.followsValue { self.buffer.append(UInt8(ascii: ",")) }
        self.followsValue = true
    }

    /// RFC 8259 §7: quotation mark, reverse solidus, and the control characters must be escaped.
    private mutating func escaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): self.buffer.append("\\\"")
        case UInt8(ascii: "\\"): self.buffer.append("\\\\")
        case 0x0A: self.buffer.append("\\n")
        case 0x0D: self.buffer.append("\\r")
        case 0x09: self.buffer.append("\\t")
        case 0..<0x20:
            self.buffer.append("\\u00")
            self.buffer.hexadecimalDigits(UInt64(byte), width: 2)
        default: self.buffer.append(byte)
        }
    }
}
