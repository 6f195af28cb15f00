import Foundation

/// Calls back when this process ends by a return from `main`, by `exit`, or by a signal that the app does not handle.
enum ProcessEnd {
    /// The ends of a process that someone else asks for: an integration test, a user, a terminal that is closed.
    private static let signals = [SIGTERM, SIGINT, SIGHUP]

    private static let callbacks = Locked<[@Sendable () -> Void]>([])
    /// Held by the thread that ends the process. Another one waits, as it would end it too early.
    private static let ending = NSRecursiveLock()

    static func call(_ callback: @escaping @Sendable () -> Void) {
        callbacks.withLock { $0.append(callback) }
        installed
    }

    /// Runs on its first use only, as every static constant does.
    private static let installed: Void = {
        atexit { ProcessEnd.run() }
        observeSignals()
    }()

    private static func run() {
        ending.lock()
        defer { ending.unlock() }
        let due = callbacks.withLock { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
        for callback in due { callback() }
    }

    /// The handler of a signal may call almost nothing, so it writes the number to a pipe, and a thread reads that.
    private static func observeSignals() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        signalPipe = ends[1]
        let reading = ends[0]
        let thread = Thread {
            var number: UInt8 = 0
            while read(reading, &number, 1) != 1 { if errno != EINTR { return } }
            run()
            // The default action now ends the process, so that its parent sees the signal.
            kill(getpid(), Int32(number))
        }
        thread.name = "rewind.signals"
        thread.start()
        for number in signals {
            let former = signal(number) { number in
                // A second signal ends the process at once.
                // `nil` is `SIG_DFL`.
                signal(number, nil)
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalPipe, &byte, 1)
            }
            // The app handles or ignores this signal.
            if former != nil { signal(number, former) }
        }
    }
}

// Sound as nonisolated(unsafe): it is set once, before the handlers that read it are installed.
private nonisolated(unsafe) var signalPipe: Int32 = -1
