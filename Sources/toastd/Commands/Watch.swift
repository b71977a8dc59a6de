import ArgumentParser
import Foundation
import HTTPClient
import ToastClient
import ToastCore

/// `toastd watch`: follows channels.
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Follow channels, and print a line for each event.",
        usage: "toastd watch <channel> … [<options>]",
        discussion: """
            toastd watch ops
            toastd watch ops lobby --events acted --output json | jq .action

            It runs until it is interrupted, or until the reader of its output ends. After a lost connection or a restart \
            of the server it reconnects and misses no event. It counts as audience: waiting toasts are presented, as for \
            any viewer. Without "presented" among its --events, or with --no-audience, it does not count, and toasts wait \
            for other viewers.
            \(ExitStatus.help)
            """
    )

    @Argument(help: ArgumentHelp("The channels' names.", valueName: "channel"))
    var channels: [ChannelName]

    @Option(help: ArgumentHelp("Only these types of events, as presented,dismissed.", valueName: "types"))
    var events: String?

    @Flag(name: .customLong("no-audience"), help: "Do not count as audience, so that toasts wait for other viewers.")
    var isUnseen = false

    @Option(help: ArgumentHelp("Begin after the event with this cursor.", valueName: "cursor"))
    var since: String?

    @OptionGroup(title: "The server")
    var options: ClientOptions

    func validate() throws {
        guard !self.channels.isEmpty else { throw ValidationError("Name a channel.") }
        guard self.since.map({ Cursor($0) != nil }) ?? true else {
            throw ValidationError("--since: expected a cursor.")
        }
    }

    func run() throws {
        let caller = try BlockingClient()
        var follower = Follower(
            try self.options.client(caller),
            channels: self.channels,
            events: self.events?.split(separator: ",").map(String.init) ?? [],
            isAudience: !self.isUnseen,
            cursor: self.since
        )
        let interrupts = Interrupts(of: caller)
        defer { withExtendedLifetime(interrupts) {} }
        var writer = EventLine(showsChannel: self.channels.count > 1, isColored: Terminal.isColored)
        var failure: ExitCode?
        do throws(ClientError) {
            try follower.run { report in
                switch report {
                case .event(let event, let text):
                    let line = self.options.output == .json ? text.printableJSON : writer.line(event)
                    do throws(ExitCode) { return try Terminal.print(line) } catch {
                        failure = error
                        return false
                    }
                case .lost(let seconds):
                    Terminal.tell("The connection is gone; the next try is in \(Int(seconds.rounded(.up))) s.")
                    return true
                case .nothing:
                    return !Terminal.isOutputClosed
                }
            }
        } catch .interrupted {
            // An interrupt is the normal end.
            return
        } catch {
            throw Terminal.fail(error)
        }
        if let failure { throw failure }
    }
}
