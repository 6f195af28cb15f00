import Foundation
import Rewind

/// A child process that has ended, with its output.
package struct ChildProcess: Sendable {
    /// The exit status; the number of the signal plus 128 if a signal ended the process.
    package let status: Int32
    /// The standard output and standard error.
    package let output: String

    /// Runs a program and waits for its end.
    /// - Parameters:
    ///   - executable: The program.
    ///   - arguments: Its arguments.
    ///   - environment: Variables in addition to those of this process, without Rewind's variables.
    ///   - directory: The working directory; that of this process by default.
    /// - Throws: An error if the program cannot be launched.
    package init(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        directory: URL? = nil
    ) throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = Self.neutralEnvironment.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = directory }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        output = String(decoding: data, as: UTF8.self)
    }

    /// Runs a program as the initializer does, while no thread of the concurrency pool waits for its end.
    package static func run(
        _ executable: URL,
        _ arguments: [String],
        environment: [String: String] = [:],
        directory: URL? = nil
    ) async throws -> ChildProcess {
        try await onThread {
            try ChildProcess(executable, arguments, environment: environment, directory: directory)
        }
    }

    /// Whether a program is in the `PATH`.
    package static func isInstalled(_ program: String) -> Bool {
        (try? ChildProcess(URL(fileURLWithPath: "/usr/bin/env"), ["sh", "-c", "command -v \(program)"]))?.status
            == 0
    }

    /// The answers that fixtures received, printed in lines that begin with `ANSWER`.
    package var answers: [String] {
        output.split(separator: "\n").filter { $0.hasPrefix("ANSWER ") }.map { String($0.dropFirst(7)) }
    }

    package static var neutralEnvironment: [String: String] {
        let own = Set(Environment.Variable.allCases.map(\.rawValue))
        return ProcessInfo.processInfo.environment.filter { !own.contains($0.key) }
    }
}

/// Runs code that waits on a thread of its own, as all tests share the few threads of the concurrency pool.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}

/// A sanitizer, which checks each access to memory.
package enum Sanitizer: String, CaseIterable {
    case thread = "__tsan_init"
    case address = "__asan_init"

    /// The sanitizer that this process was built with, for tests that cannot run with it.
    package static let current: Sanitizer? = {
        guard let program = dlopen(nil, RTLD_NOW) else { return nil }
        defer { dlclose(program) }
        return allCases.first { dlsym(program, $0.rawValue) != nil }
    }()
}
