import Testing

@testable import MicroHTTP

@Suite struct WebSocketReaderTests {
    /// Otherwise each peer with an incomplete message would keep 64 KiB of its loop's.
    @Test func anIncompleteMessageKeepsNoBuffer() {
        var reader = WebSocketReader()
        var buffer = [UInt8](repeating: 0x81, count: 4096)
        let before = buffer.withUnsafeMutableBytes { $0.baseAddress }
        // The first byte of a text frame.
        _ = reader.feed(buffer[..<1])
        // A buffer that something else keeps is copied here.
        let after = buffer.withUnsafeMutableBytes { $0.baseAddress }
        #expect(before == after)
        withExtendedLifetime(reader) {}
    }
}
