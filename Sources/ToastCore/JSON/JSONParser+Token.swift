extension JSONParser {
    /// Skips white space and returns the next byte without consuming it; `nil` at the end.
    mutating func nextToken() -> UInt8? {
        while self.index < self.bytes.count {
            switch self.bytes[self.index] {
            case 0x20, 0x09, 0x0A, 0x0D: self.index += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Consumes white space and one byte, which must be the given one.
    mutating func expect(_ byte: UInt8, _ detail: String) throws(JSONSyntaxError) {
        guard self.nextToken() == byte else { throw self.fault(detail) }
        self.index += 1
    }

    /// Consumes the first byte of an array or object.
    mutating func enter() throws(JSONSyntaxError) {
        guard self.depth < self.depthLimit else {
            throw JSONSyntaxError(
                offset: self.index,
                detail: "The document is nested deeper than \(self.depthLimit) levels.",
                isTooDeep: true
            )
        }
        self.depth += 1
        self.index += 1
    }

    /// Consumes the last byte of an array or object.
    mutating func leave<Container>(with container: Container) -> Container {
        self.depth -= 1
        self.index += 1
        return container
    }

    /// `number = [ minus ] int [ frac ] [ exp ]`.
    mutating func number() throws(JSONSyntaxError) -> JSON {
        let start = self.index
        self.skip(UInt8(ascii: "-"))
        let firstDigit = self.index
        try self.digits()
        guard self.index - firstDigit == 1 || self.bytes[firstDigit] != UInt8(ascii: "0") else {
            throw JSONSyntaxError(offset: start, detail: "A number has no leading zeros.")
        }
        var isWhole = true
        if self.skip(UInt8(ascii: ".")) {
            isWhole = false
            try self.digits()
        }
        if self.skip(UInt8(ascii: "e")) || self.skip(UInt8(ascii: "E")) {
            isWhole = false
            if !self.skip(UInt8(ascii: "+")) { self.skip(UInt8(ascii: "-")) }
            try self.digits()
        }
        let text = String(decoding: self.bytes[start..<self.index], as: UTF8.self)
        if isWhole, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else {
            throw JSONSyntaxError(offset: start, detail: "The number is too large.")
        }
        return JSON(number: number)
    }

    func fault(_ detail: String) -> JSONSyntaxError {
        JSONSyntaxError(offset: self.index, detail: detail)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = self.index
        while self.index < self.bytes.count, self.bytes[self.index].isDigit { self.index += 1 }
        guard self.index > start else { throw self.fault("A digit is expected here.") }
    }

    @discardableResult
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard self.index < self.bytes.count, self.bytes[self.index] == byte else { return false }
        self.index += 1
        return true
    }
}
