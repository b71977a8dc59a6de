import ArgumentParser
import Foundation
import SystemPackage
import ToastClient
import ToastCore

/// Where commands write.
enum Terminal {
    /// Writes a line to standard output at once.
    ///
    /// - Parameter line: The line, without its end.
    /// - Returns: False when nobody reads it any more: whoever closed the other end has enough.
    /// - Throws: The command's end, when it could not be written, as to a full disk. Why was said.
    @discardableResult
    static func print(_ line: String) throws(ExitCode) -> Bool {
        do {
            try FileDescriptor.standardOutput.writeAll("\(line)\n".utf8)
            return true
        } catch Errno.brokenPipe {
            return false
        } catch {
            throw self.fail(["standard output: \(error)"], .failure)
        }
    }

    /// Writes a line to standard error.
    static func tell(_ line: String) {
        // Without standard error nobody wants to know.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }

    /// Says what of a document was accepted and does nothing, or is hard to see, as the answer has it.
    static func tellWarnings(of answer: JSON) {
        for warning in answer["warnings"]?.array ?? [] {
            let (pointer, detail) = (warning["pointer"]?.string ?? "", warning["detail"]?.string ?? "")
            self.tell("Warning: \(pointer.printable): \(detail.printable)")
        }
    }

    /// Says why a command ends.
    static func fail(_ lines: [String], _ status: ExitCode) -> ExitCode {
        for (index, line) in lines.enumerated() { self.tell(index == 0 ? "Error: \(line)" : line) }
        return status
    }

    /// Says why a command makes no sense.
    static func fail(_ reason: String) -> ExitCode { self.fail([reason], .validationFailure) }

    /// Says why a command that speaks to a server could not do its work.
    static func fail(_ error: ClientError) -> ExitCode {
        switch error {
        case .refused(let refusal): self.fail(refusal.lines + self.advice(refusal), ExitStatus.refused)
        case .unreachable, .cut, .nonsense: self.fail(error.lines, ExitStatus.unreachable)
        // As if the signal had ended it, which shells take for the user's wish to end the script, too.
        case .interrupted: ExitCode(128 + SIGINT)
        }
    }

    /// What a user of the command line can do about a refusal.
    private static func advice(_ refusal: Refusal) -> [String] {
        switch refusal.type {
        case "credentials-required":
            ["  Put an API key or a token into TOASTD_TOKEN, or into a file that --token-file names."]
        case "credentials-invalid": ["  Look at what TOASTD_TOKEN, or the file that --token-file names, holds."]
        default: []
        }
    }

    /// Whether standard output is a screen that shows colours (https://no-color.org).
    static var isColored: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Whether somebody sees standard error.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }
}
