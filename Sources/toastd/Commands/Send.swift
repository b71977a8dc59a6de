import ArgumentParser
import Foundation
import HTTPClient
import ToastClient
import ToastCore

/// `toastd send`: posts a toast.
struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Post a toast to a channel, and print its id.",
        usage: "toastd send <channel> <text> … [<options>]",
        discussion: """
            toastd send ops Deployed
            toastd send ops --role error --title 'Build 4711' 'Tests failed'
            make 2>&1 | tail -1 | toastd send ops -
            echo '{"message": "Saved", "data": {"id": 7}}' | toastd send ops --json -

            With --wait the id is followed by how the toast ended: by a button (action ID), or otherwise (timeout, \
            swipe, close, api …).
            \(ExitStatus.help) With --wait also 4: the toast is still there.
            """
    )

    @OptionGroup(title: "The toast")
    var toast: ToastOptions

    @Option(help: ArgumentHelp("Wait so long for the toast's end: 90, 5m, 2h.", valueName: "time"))
    var wait: Seconds?

    @OptionGroup(title: "The server")
    var options: ClientOptions

    func validate() throws {
        try self.toast.checkDestructive(among: self.toast.action)
    }

    func run() throws {
        let caller = try BlockingClient()
        let publisher = Publisher(try self.options.client(caller), channel: self.toast.channel)
        let document = try self.toast.document()
        guard self.wait == nil || document.object != nil else {
            throw Terminal.fail("--wait: expected one toast.")
        }
        let key = self.toast.idempotencyKey ?? self.wait.map { _ in UUID().uuidString.lowercased() }
        do {
            let answer = try publisher.publish(document, key: key)
            Terminal.tellWarnings(of: answer)
            guard let wait, let key else { return try self.print(answer) }
            let end = try publisher.awaitEnd(of: answer, postedAs: document, key: key, seconds: wait.count)
            try self.print(end ?? answer)
            if end == nil { throw ExitStatus.unanswered }
        } catch let error as ClientError {
            throw Terminal.fail(error)
        }
    }

    /// Prints what became of the toast, or of each of several.
    private func print(_ answer: JSON) throws {
        guard self.options.output == .text else {
            try Terminal.print(answer.printed)
            return
        }
        for toast in answer["toasts"]?.array ?? [answer] {
            let words = [toast["id"], toast["dismissReason"], toast["action"]].compactMap { $0?.string }
            try Terminal.print(words.joined(separator: " ").printable)
        }
    }
}
