import CLinux
import Glibc

/// A thread of the system that runs one closure.
enum SystemThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// The thread of the caller.
    static var current: UInt { UInt(pthread_self()) }

    /// Starts a detached thread with a name of at most 15 bytes.
    static func start(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let start = unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                _ = unsafe start.name.withCString { unsafe clinux_name_this_thread($0) }
                start.body()
                return nil
            },
            start.toOpaque()
        )
        guard code == 0 else {
            unsafe start.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }
}
