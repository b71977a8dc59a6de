import ArgumentParser
import Foundation
import SystemPackage
import ToastClient
import ToastCore

/// The output of commands.
enum Terminal {
    /// Writes a line to standard output without buffering; returns false if the reader has closed its end of the pipe.
    ///
    /// If the line cannot be written, as to a full disk, it prints why and throws the exit code.
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
        // Without standard error there is nowhere to report it.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }

    static func tellWarnings(of answer: JSON) {
        for warning in answer["warnings"]?.array ?? [] {
            let (pointer, detail) = (warning["pointer"]?.string ?? "", warning["detail"]?.string ?? "")
            self.tell("Warning: \(pointer.printable): \(detail.printable)")
        }
    }

    /// Prints why a command fails, and returns its exit code.
    static func fail(_ lines: [String], _ status: ExitCode) -> ExitCode {
        for (index, line) in lines.enumerated() { self.tell(index == 0 ? "Error: \(line)" : line) }
        return status
    }

    /// Prints why the arguments are invalid, and returns the exit code.
    static func fail(_ reason: String) -> ExitCode { self.fail([reason], .validationFailure) }

    /// Prints why a request failed, and returns the exit code; `signal` is the one after which it was interrupted.
    static func fail(_ error: ClientError, _ signal: CInt = SIGINT) -> ExitCode {
        switch error {
        case .refused(let response): self.fail(response.lines + self.advice(response), ExitStatus.refused)
        case .unreachable, .cut, .notToastd: self.fail(error.lines, ExitStatus.unreachable)
        // The status of a process that a signal ended, so that shells end the script, too.
        case .interrupted: ExitCode(128 + signal)
        }
    }

    /// What the user can do about an error response.
    private static func advice(_ response: ErrorResponse) -> [String] {
        switch response.type {
        case "credentials-required":
            ["  Put an API key or a token into TOASTD_TOKEN, or into a file that --token-file names."]
        case "credentials-invalid": ["  Look at what TOASTD_TOKEN, or the file that --token-file names, holds."]
        default: []
        }
    }

    /// Whether standard output is a terminal with colours (https://no-color.org).
    static var isColored: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }

    /// Whether the reader of standard output, a pipe, has closed its end.
    static var isOutputClosed: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        // poll(2) reports POLLERR unasked when the reading end of a pipe is closed.
        return unsafe poll(&descriptor, 1, 0) > 0 && descriptor.revents & Int16(POLLERR) != 0
    }

    /// Whether standard error is a terminal.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }
}
