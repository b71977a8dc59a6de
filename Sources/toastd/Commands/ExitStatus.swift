import ArgumentParser

/// The exit statuses of commands that send requests to a server.
enum ExitStatus {
    static let refused = ExitCode(1)
    /// The server cannot be reached, or gave no answer.
    static let unreachable = ExitCode(2)
    /// The toast was dismissed without an action.
    static let dismissed = ExitCode(3)
    /// The time was up before the toast was dismissed.
    static let unanswered = ExitCode(4)

    /// The sentence for help texts.
    static let help =
        "Exit status: 0 done, 1 the server refused, 2 it cannot be reached, 64 invalid arguments."
}
