import Glibc

/// A system call that failed, and how.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The call that failed, such as `epoll_ctl`.
    public let call: String

    /// The error number, as in errno(3).
    public let code: CInt

    /// An error of a call.
    public init(call: String, code: CInt) {
        self.call = call
        self.code = code
    }

    /// The call and the system's text for the error.
    public var description: String { unsafe "\(self.call): \(String(cString: strerror(self.code)))" }

    /// Makes a system call, again for as long as a signal interrupts it.
    static func check(_ call: String, _ body: () -> CInt) throws(SystemError) -> CInt {
        while true {
            let result = body()
            if result >= 0 { return result }
            guard errno == EINTR else { throw SystemError(call: call, code: errno) }
        }
    }
}
