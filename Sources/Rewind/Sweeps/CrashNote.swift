import Foundation

/// A text for standard error that is printed only if the process crashes, such as the running variation of a sweep.
///
/// The handler of a crash may call only functions such as `write` (POSIX.1-2017, System Interfaces, 2.4.3), so the text
/// exists before the crash.
struct CrashNote {
    private let number: Int
    private static let texts = Locked<(last: Int, running: [Int: String])>((0, [:]))
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    fileprivate static let capacity = 4096

    init(_ text: String) {
        Self.installed
        number = Self.texts.withLock { texts in
            texts.last += 1
            texts.running[texts.last] = text
            Self.write(texts.running)
            return texts.last
        }
    }

    func remove() {
        Self.texts.withLock { texts in
            texts.running[number] = nil
            Self.write(texts.running)
        }
    }

    private static func write(_ texts: [Int: String]) {
        strncpy(crashText, texts.sorted { $0.key < $1.key }.map(\.value).joined(), capacity - 1)
    }

    /// Runs on its first use only, as every static constant does.
    private static let installed: Void = {
        crashText.initialize(repeating: 0, count: capacity)
        for number in signals {
            sigaction(number, nil, formerActions + Int(number))
            signal(number) { number in
                _ = Foundation.write(STDERR_FILENO, crashText, strlen(crashText))
                // The instruction runs again after the handler, and now the former action ends the process.
                sigaction(number, formerActions + Int(number), nil)
                // `abort` would skip a former handler.
                if number == SIGABRT { raise(number) }
            }
            // An overflow of the stack leaves no space on it.
            var action = sigaction()
            sigaction(number, nil, &action)
            action.sa_flags |= SA_ONSTACK
            sigaction(number, &action, nil)
        }
    }()
}

// Sound as nonisolated(unsafe): written under the lock of `texts`. A handler reads it without, as it must not wait, and
// its last byte is always 0.
private nonisolated(unsafe) let crashText = UnsafeMutablePointer<CChar>.allocate(capacity: CrashNote.capacity)
// Sound as nonisolated(unsafe): written once, before the handlers that read it are installed.
private nonisolated(unsafe) let formerActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 64)
