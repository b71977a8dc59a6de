import ArgumentParser
import Foundation
import Glibc
import HTTPClient
import Synchronization
import ToastClient
import ToastCore

/// `toastd ask`: posts a question, and waits for the answer.
struct Ask: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Ask the people of a channel, and print the id of the button that was pressed.",
        usage: "toastd ask <channel> <text> … [--action <id=title>] … [<options>]",
        discussion: """
            toastd ask ops 'Deploy?' -a yes=Deploy -a no=Cancel --timeout 5m
            [ "$(toastd ask ops 'Delete it?' --destructive yes)" = yes ] && rm it

            Without --action the buttons are Yes (yes) and No (no). The question stays on screen until somebody answers \
            it, unless --duration says otherwise, also across a restart of the server. When the time is up, or the command \
            is interrupted or fails, the question is withdrawn.
            Exit status: 0 answered, 1 the server refused, 2 it cannot be reached, 3 the question was dismissed without \
            an answer (closed or replaced), 4 the time was up, 64 invalid arguments. \
            When a signal ends the command, 128 and its number: 130 SIGINT, 143 SIGTERM, 129 SIGHUP.
            """
    )

    @OptionGroup(title: "The question")
    var toast: ToastOptions

    @Option(help: ArgumentHelp("How long to wait for an answer: 90, 5m, 2h. (default for ever)", valueName: "time"))
    var timeout: Seconds?

    @Flag(help: "Do not withdraw the question when the command ends.")
    var keep = false

    @OptionGroup(title: "The server")
    var options: ClientOptions

    private static let buttons = ["yes=Yes", "no=No"].compactMap { Draft.Action($0) }

    func validate() throws {
        try self.toast.checkDestructive(among: self.toast.action.isEmpty ? Self.buttons : self.toast.action)
    }

    func run() throws {
        let caller = try BlockingClient()
        let publisher = Publisher(try self.options.client(caller), channel: self.toast.channel)
        guard var members = try self.toast.document(standard: Self.buttons).object else {
            throw Terminal.fail("--json: expected one toast.")
        }
        if members["duration"] == nil { members["duration"] = "indefinite" }
        let question = JSON.object(members)
        let key = self.toast.idempotencyKey ?? UUID().uuidString.lowercased()
        let signal = Atomic<CInt>(SIGINT)
        let interrupts = Interrupts { number in
            signal.store(number, ordering: .relaxed)
            caller.interrupt()
        }
        defer { withExtendedLifetime(interrupts) {} }
        var posted: JSON?
        do {
            let toast = try publisher.publish(question, key: key)
            Terminal.tellWarnings(of: toast)
            posted = toast
            if Terminal.isWatched { Terminal.tell("Waiting for an answer in \(self.toast.channel) …") }
            let end = try publisher.awaitEnd(of: toast, postedAs: question, key: key, seconds: self.timeout?.count)
            if let end {
                try self.conclude(end)
            } else {
                try self.giveUp(toast, publisher)
            }
        } catch let error as ClientError {
            caller.resume()
            // The command ends in any case, so a failure to withdraw the question is not reported.
            if posted != nil || error.leavesQuestion, !self.keep {
                try? posted.map { _ = try publisher.withdraw($0) } ?? publisher.withdraw(question, key: key)
            }
            throw Terminal.fail(error, signal.load(ordering: .relaxed))
        }
    }

    /// Prints the answer, if there is one.
    private func conclude(_ toast: JSON) throws {
        if self.options.output == .json { try Terminal.print(toast.printed) }
        guard let action = toast["action"]?.string else {
            let reason = toast["dismissReason"]?.string ?? "unknown"
            Terminal.tell("Nobody answered: the question went (\(reason.printable)).")
            throw ExitStatus.dismissed
        }
        if self.options.output == .text { try Terminal.print(action.printable) }
    }

    /// Withdraws the question, unless it has just been answered.
    private func giveUp(_ toast: JSON, _ publisher: Publisher) throws {
        var last = toast
        do throws(ClientError) {
            if !self.keep { last = try publisher.withdraw(toast) }
        } catch {
            Terminal.tell("The question could not be taken back.")
        }
        if last["action"] != nil { return try self.conclude(last) }
        if self.options.output == .json { try Terminal.print(last.printed) }
        Terminal.tell("Nobody answered in time.")
        throw ExitStatus.unanswered
    }
}

extension ClientError {
    /// Whether the question may be on screens, although its publication failed.
    fileprivate var leavesQuestion: Bool {
        switch self {
        case .interrupted, .cut: true
        // The server cannot say whether it stored the question, or a proxy got no answer from the server.
        case .refused(let response): response.type == "store-undecided" || [502, 504].contains(response.status)
        case .unreachable, .notToastd: false
        }
    }
}
