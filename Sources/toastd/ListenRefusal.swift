import EventLoop
import Glibc
import MicroHTTP

/// Why the server does not start at its address, and what would help.
struct ListenRefusal: Error, CustomStringConvertible {
    let address: Address
    let reason: SystemError

    var description: String {
        let advice =
            switch self.reason.code {
            case EADDRINUSE: " Another program listens there: end that one, or name another address with --listen."
            case EADDRNOTAVAIL: " It is no address of this machine: name another one with --listen."
            default: ""
            }
        return "Nothing can be served at http://\(self.address) (\(self.reason)).\(advice)"
    }
}
