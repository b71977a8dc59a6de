// The header fields of an answer, on their way to the library.

import CMicroHTTPD

extension Response {
    /// Hands the fields to the library, all as the value of the first one.
    ///
    /// For each field that it is given it looks six times for blanks and line breaks and takes three pieces of memory: nine
    /// fields were a twelfth of a publish. It takes no line break in a value, so the breaks between the fields, and none but
    /// those, are put into its own copy. The fields that it has to know of are no answer's: `Connection`, `Date`,
    /// `Content-Length` and `Transfer-Encoding`.
    func handFields(to response: OpaquePointer) {
        guard let first = self.headers.first else { return }
        let others = self.headers.dropFirst()
        let size = others.reduce(first.value.utf8.count + 1) { $0 + $1.lineLength }
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
            guard let text = buffer.baseAddress else { return }
            // Blanks until there are breaks.
            unsafe buffer.initialize(repeating: CChar(UInt8(ascii: " ")))
            var end = unsafe text
            unsafe first.value.append(to: &end)
            for field in others {
                unsafe end += 2
                unsafe field.name.append(to: &end)
                unsafe end.pointee = CChar(UInt8(ascii: ":"))
                unsafe end[1] = CChar(UInt8(ascii: " "))
                unsafe end += 2
                unsafe field.value.append(to: &end)
            }
            unsafe end.pointee = 0
            unsafe first.name.withCString { name in
                guard unsafe MHD_add_response_header(response, name, text) == .YES,
                    let copy = unsafe MHD_get_response_header(response, name)
                else { return }
                let lines = unsafe UnsafeMutablePointer(mutating: copy)
                var place = first.value.utf8.count
                for field in others {
                    unsafe lines[place] = CChar(UInt8(ascii: "\r"))
                    unsafe lines[place + 1] = CChar(UInt8(ascii: "\n"))
                    place += field.lineLength
                }
            }
        }
    }
}

extension Response.Field {
    /// The bytes of a line break and the field.
    fileprivate var lineLength: Int { self.name.utf8.count + self.value.utf8.count + 4 }
}

extension String {
    /// Copies the text, and moves the place behind it.
    fileprivate func append(to place: inout UnsafeMutablePointer<CChar>) {
        let length = self.utf8.count
        unsafe self.withCString { unsafe place.update(from: $0, count: length) }
        unsafe place += length
    }
}
