import ToastCore

extension ASCIISet {
    /// Letters and digits, as the beginning of a set of characters.
    private static let alphanumerics = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    /// Characters that stand for themselves in a URI (RFC 3986 §2.3).
    static let unreserved = Self(Self.alphanumerics + "-._~")

    /// Characters of a token (RFC 9110 §5.6.2).
    static let token = Self(Self.alphanumerics + "!#$%&'*+-.^_`|~")

    /// Characters of a field's name in an encoded form: those that a form's serializer writes (WHATWG URL §5.2), and
    /// brackets, which people often do not encode.
    static let formFieldName = Self(Self.alphanumerics + "-._*+%[]")
}
