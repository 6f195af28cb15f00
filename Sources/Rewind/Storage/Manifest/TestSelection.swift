import Foundation

/// Which tests a process is to run.
///
/// `swift test` passes its own arguments on to Swift Testing. It tells XCTest the names of the tests if a filter selects
/// some, but also if it starts a process for each test (`--parallel`). Only its own arguments tell the two apart.
package struct TestSelection: Hashable, Sendable {
    /// The arguments that select tests, such as `--filter UserTests`; `nil` if all tests run.
    package let arguments: String?

    package init(_ arguments: String?) { self.arguments = arguments }

    package static let all = TestSelection(nil)

    /// The selection of this process.
    @TaskLocal package static var current = TestSelection(
        of: CommandLine.arguments,
        startedBy: ParentProcess.arguments,
        environment: ProcessInfo.processInfo.environment
    )

    /// Determines the selection from the command lines of a process and of its parent.
    package init(of own: [String], startedBy parent: [String], environment: [String: String] = [:]) {
        let isOfSwiftTest = Self.isSwiftTest(parent)
        let asked = isOfSwiftTest ? Self.options(in: parent) : []
        let options = asked.isEmpty ? Self.options(in: own) : asked
        let skipped = environment[Self.skippedTests].map { ["\(Self.skippedTests)=\($0)"] } ?? []
        let hasProcessForEachTest = isOfSwiftTest && parent.contains("--parallel")
        let names = hasProcessForEachTest ? [] : [Self.names(in: own)].compactMap { $0 }
        let all = options + skipped
        arguments = (all.isEmpty ? names : all).joined(separator: " ").nonEmpty.map(Self.shortened)
    }

    private static let skippedTests = "_SWIFTPM_SKIP_TESTS_LIST"

    /// The options of `swift test` and Swift Testing that leave tests out, and whether they have a value.
    private static let selecting: [String: Bool] = [
        "--filter": true, "--skip": true, "--specifier": true, "-s": true, "--test-product": true,
        "--configuration-path": true, "--experimental-configuration-path": true,
        "--disable-xctest": false, "--disable-swift-testing": false,
        "--disable-experimental-swift-testing": false,
    ]

    /// The selecting options with their values, as they were written.
    private static func options(in arguments: [String]) -> [String] {
        var found: [String] = []
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            let name = String(argument.prefix { $0 != "=" })
            guard let hasValue = selecting[name] else { continue }
            found.append(argument)
            if hasValue, name == argument, let value = rest.popFirst() { found.append(value) }
        }
        return found
    }

    /// The names of tests that XCTest is to run; `nil` if it runs all.
    private static func names(in arguments: [String]) -> String? {
        if let position = arguments.firstIndex(of: "-XCTest"), position + 1 < arguments.count {
            let names = arguments[position + 1]
            return ["All", "Self"].contains(names) ? nil : names
        }
        let program = arguments.first.map { ($0 as NSString).lastPathComponent } ?? ""
        guard program.hasSuffix(".xctest") || program.hasSuffix("-test-runner"), arguments.count > 1,
            !arguments[1].hasPrefix("-")
        else { return nil }
        return arguments[1]
    }

    /// Whether a command line is that of `swift test`, under each of the names of the program.
    private static func isSwiftTest(_ arguments: [String]) -> Bool {
        let program = arguments.first.map { ($0 as NSString).lastPathComponent }
        return program == "swift-test"
            || ["swift", "swift-package"].contains(program) && arguments.contains("test")
    }

    private static func shortened(_ text: String) -> String {
        text.count > 120 ? text.prefix(119) + "…" : text
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
