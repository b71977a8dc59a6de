import ArgumentParser

/// How commands end that speak to a server.
enum ExitStatus {
    /// The server said no.
    static let refused = ExitCode(1)

    /// The server is not there, or gave no answer.
    static let unreachable = ExitCode(2)

    /// The toast went, and nobody had pressed a button.
    static let dismissed = ExitCode(3)

    /// The time was up, and nobody had done anything.
    static let unanswered = ExitCode(4)

    /// What every help says of it.
    static let help =
        "Exit status: 0 done, 1 the server refused, 2 it cannot be reached, 64 the command makes no sense."
}
