import ToastCore

/// The first elements of a list, as many as fit into one response.
struct ListPage {
    /// The most bytes of a page; a first element that is longer is a page of its own.
    static let maximumBytes = 256 * 1024

    private var elements: [[UInt8]] = []
    private var room = Self.maximumBytes

    init() {}

    init<Element>(_ list: some Sequence<Element>, _ encode: (Element) -> [UInt8]) {
        for element in list {
            guard self.add(encode(element)) else { return }
        }
    }

    var count: Int { self.elements.count }

    /// Adds an element; false when it does not fit any more.
    mutating func add(_ encoded: [UInt8]) -> Bool {
        guard self.elements.isEmpty || encoded.count <= self.room else { return false }
        self.elements.append(encoded)
        self.room -= encoded.count + 1
        return true
    }

    /// Writes the elements as a member of an object.
    func write(_ name: StaticString, to writer: inout JSONWriter) {
        writer.name(name)
        writer.array { writer in for element in self.elements { writer.encoded(element) } }
    }
}
