import CCurl
import Glibc

enum SystemCalls {
    /// A socket for a connection, or -1.
    static func openSocket(family: CInt, type: CInt, protocol: CInt) -> CInt {
        socket(family, type | CInt(SOCK_CLOEXEC.rawValue), `protocol`)
    }

    /// A peer that is gone is an error of the call that finds out, never a signal to the process.
    static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }
}
