import CLinux
import Glibc

/// How Linux schedules a thread; see sched(7).
public enum SchedulingPolicy: Sendable {
    /// The policy of the process, usually `SCHED_OTHER`: a thread that wakes may interrupt another one.
    case normal
    /// `SCHED_BATCH`: a thread that wakes does not interrupt another one. It runs later, and then has more work at
    /// once.
    ///
    /// Threads that it starts inherit the policy, except those of an ``EventLoop``.
    case batch
}

extension SchedulingPolicy {
    /// Sets the policy of the calling thread, which has inherited one from the thread that started it.
    fileprivate func apply() {
        // The process id names the main thread, whose policy counts as that of the process.
        let wanted = self == .batch ? CInt(CLINUX_SCHED_BATCH) : sched_getscheduler(getpid())
        guard wanted != sched_getscheduler(0) else { return }
        var parameters = sched_param()
        // If a sandbox refuses the call, the thread keeps its policy.
        _ = unsafe sched_setscheduler(0, wanted, &parameters)
    }
}

/// A thread of the system that runs one closure.
enum SystemThread {
    private final class Start {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }

    /// The identifier of the calling thread (pthread_self(3)).
    static var current: UInt { UInt(pthread_self()) }

    /// Starts a detached thread with a name of at most 15 bytes.
    static func start(
        name: String,
        policy: SchedulingPolicy,
        _ body: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let start = Start {
            _ = unsafe name.withCString { unsafe clinux_name_this_thread($0) }
            policy.apply()
            body()
        }
        let retained = unsafe Unmanaged.passRetained(start)
        var thread = pthread_t()
        let code = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            },
            retained.toOpaque()
        )
        guard code == 0 else {
            unsafe retained.release()
            throw SystemError(call: "pthread_create", code: code)
        }
        pthread_detach(thread)
    }
}
