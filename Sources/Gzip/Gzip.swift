import CZlib

/// Compression in the gzip format (RFC 1952).
package enum Gzip {
    /// The bytes at zlib's best compression; nil when the result would be longer, or zlib fails.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe czlib_begin_gzip(&stream) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        // A result that does not fit is longer than the bytes.
        var result = [UInt8](repeating: 0, count: bytes.count)
        let isWhole = unsafe bytes.withUnsafeBufferPointer { source in
            unsafe result.withUnsafeMutableBufferPointer { target in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                unsafe stream.avail_in = UInt32(clamping: source.count)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(clamping: target.count)
                return unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isWhole else { return nil }
        result.removeLast(unsafe Int(stream.avail_out))
        return result
    }
}
