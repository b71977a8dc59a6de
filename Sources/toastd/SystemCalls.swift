import Glibc

enum SystemCalls {
    /// Whether nobody can read any more what is written to standard output.
    static var isOutputClosed: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        // POLLERR comes unasked (poll(2)): the reading end of the pipe is closed.
        return unsafe poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
    }
}
