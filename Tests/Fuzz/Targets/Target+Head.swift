import CZlib

@testable import MicroHTTP

/// A head that `HeadReader` takes for seamless has lines that end in CR LF, no NUL and no folded line.
///
/// The bytes are cut into fields as libmicrohttpd 0.9 does it, in place: lines at CR LF, LF or CR, a NUL behind each
/// part, a value up to its first NUL.
func checkHead(_ bytes: [UInt8]) throws {
    let (method, target, version) = ("GET", "/v1", "HTTP/1.1")
    let line = "\(method) \(target) \(version)\r\n"
    guard let end = end(of: bytes) else { return }
    let text = Array(line.utf8) + bytes[..<end]
    var buffer = text + [0]
    var head = CutHead(text, from: line.utf8.count)
    head.cut(&buffer)
    for index in [method.utf8.count, method.utf8.count + 1 + target.utf8.count, line.utf8.count - 2] {
        buffer[index] = 0
    }
    let (isSeamless, isWellFormed) = buffer.withUnsafeBytes { raw in
        guard let base = raw.bindMemory(to: CChar.self).baseAddress else { return (true, true) }
        let place = UInt(bitPattern: base)
        let line = RequestLine(
            method: base,
            target: place + UInt(method.utf8.count + 1),
            version: base + method.utf8.count + target.utf8.count + 2
        )
        var reader = HeadReader(after: line, size: text.count)
        for field in head.fields {
            reader.add(
                name: UnsafeRawBufferPointer(rebasing: raw[field.name]),
                value: UnsafeRawBufferPointer(rebasing: raw[field.value])
            )
        }
        reader.finish()
        return (reader.isSeamless, reader.fields.isWellFormed)
    }
    // What addresses cannot tell apart: CR LF, and a NUL before a bare CR or LF. Either alone shows.
    let isDisguised = text.contains(0) && head.hasBareEnd
    try promise(!isSeamless || !isWellFormed || head.isClean || isDisguised, "a head with something hidden passed")
    try promise(!head.isClean || isSeamless, "a clean head did not pass")
}

/// The end of the first empty line; `nil` when there is none.
private func end(of bytes: [UInt8]) -> Int? {
    var start = 0
    while let stop = bytes[start...].firstIndex(where: { $0 == 10 || $0 == 13 }) {
        let isPair = bytes[stop] == 13 && stop + 1 < bytes.count && bytes[stop + 1] == 10
        let next = stop + (isPair ? 2 : 1)
        if stop == start { return next }
        start = next
    }
    return nil
}

/// A head in the library's hands.
private struct CutHead {
    private(set) var fields: [(name: Range<Int>, value: Range<Int>)] = []
    private(set) var isClean: Bool
    private(set) var hasBareEnd = false
    private let head: [UInt8]
    private let start: Int

    init(_ head: [UInt8], from start: Int) {
        self.head = head
        self.start = start
        self.isClean = !head.contains(0)
    }

    mutating func cut(_ buffer: inout [UInt8]) {
        var start = self.start
        while let stop = self.head[start...].firstIndex(where: { $0 == 10 || $0 == 13 }) {
            let isPair = self.head[stop] == 13 && stop + 1 < self.head.count && self.head[stop + 1] == 10
            if !isPair { (self.isClean, self.hasBareEnd) = (false, true) }
            defer { start = stop + (isPair ? 2 : 1) }
            guard stop > start else { continue }
            self.cutLine(start..<stop, &buffer)
            buffer[stop] = 0
        }
    }

    private mutating func cutLine(_ line: Range<Int>, _ buffer: inout [UInt8]) {
        if self.head[line.lowerBound] == 0x20 || self.head[line.lowerBound] == 0x09 { self.isClean = false }
        guard let colon = self.head[line].firstIndex(of: UInt8(ascii: ":")) else {
            // Such a request is refused by the library.
            self.isClean = false
            return self.fields.append((line, line.upperBound..<line.upperBound))
        }
        buffer[colon] = 0
        let value = self.head[(colon + 1)..<line.upperBound].drop { $0 == 0x20 || $0 == 0x09 }
        let end = value.firstIndex(of: 0) ?? value.endIndex
        self.fields.append((line.lowerBound..<colon, value.startIndex..<end))
    }
}

/// What was compressed; `nil` when it cannot be read.
func inflated(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    var stream = z_stream()
    // 15 bits of window, and 16 for the head of gzip.
    guard inflateInit2_(&stream, 31, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var source = bytes
    var result = [UInt8](repeating: 0, count: count + 1)
    let isWhole = source.withUnsafeMutableBufferPointer { source in
        result.withUnsafeMutableBufferPointer { target in
            (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
            (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(target.count))
            return inflate(&stream, Z_FINISH) == Z_STREAM_END
        }
    }
    return isWhole ? Array(result.dropLast(Int(stream.avail_out))) : nil
}
