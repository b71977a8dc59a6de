import Glibc

enum SystemCalls {
    /// Whether a signal does nothing to this process.
    static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Whether nobody can read any more what is written to standard output.
    static var isOutputClosed: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        // POLLERR comes unasked (poll(2)): the reading end of the pipe is closed.
        return unsafe poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
    }

    /// Ends the process and lets nothing else be done before.
    static func endAtOnce(status: CInt) -> Never { _exit(status) }
}
