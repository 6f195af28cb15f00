import Foundation
import Rewind
import Testing

/// Runs one test, or one of its cases, with a cassette or with stubs.
struct TestScope {
    private let test: Test
    private let testCase: Test.Case?
    private let settings: TraitSettings

    /// The name of the trait.
    private let trait: String

    init(_ test: Test, _ testCase: Test.Case?, _ settings: TraitSettings, as trait: String) {
        self.trait = trait
        self.test = test
        self.testCase = testCase
        self.settings = settings
    }

    func run(_ function: @Sendable () async throws -> Void) async throws {
        let scope = try CassetteScope(makeStubber())
        let failure = Locked(false)
        do {
            try await noting(failure, of: scope.stubber) {
                try await scope.run { try await function() }
                await scope.settle()
                reportMisses(of: scope)
            }
        } catch {
            await scope.settle()
            let reported = reportMisses(of: scope)
            end(scope, hasFailed: true)
            // Swift Testing records the thrown error as an issue; the miss is reported already.
            let miss = reported.first { $0.description == error.localizedDescription }
            throw miss.map { ReportedMiss(description: $0.reminder) } ?? error
        }
        end(scope, hasFailed: failure.withLock { $0 })
    }

    /// Runs the test and notes whether it records an issue that fails it. A sweep receives the issues of its variations.
    private func noting(
        _ failure: Locked<Bool>,
        of stubber: Stubber,
        _ function: @Sendable () async throws -> Void
    ) async throws {
        #if compiler(>=6.2)
            let watching = IssueHandlingTrait.compactMapIssues { issue in
                // Warnings and known issues do not fail a test; older versions cannot tell them apart.
                #if compiler(>=6.3)
                    guard issue.isFailure else { return issue }
                #endif
                if stubber.takeFailure(issue.lineAndText) { return nil }
                failure.withLock { $0 = true }
                return issue
            }
            try await watching.provideScope(for: test, testCase: testCase, performing: function)
        #else
            // With older toolchains, only a test that throws counts as failed.
            try await function()
        #endif
    }

    private func makeStubber() throws -> Stubber {
        let name = try CassetteName(test, testCase, own: settings.name)
        guard settings.hasCassette else {
            return Stubber(
                stubsOnly: settings.configuration,
                for: identity(name.test),
                displayName: name.testCase
            )
        }
        return try Stubber(
            at: name.location(in: settings.directory),
            mode: settings.mode,
            configuration: settings.configuration,
            identity: identity(name.test),
            displayName: name.testCase
        )
    }

    private func identity(_ name: String) -> TestIdentity {
        let identified = RunnableTest(test, testCase)
        let isOfSuite = trait != "cassette" && !identified.group.isEmpty
        var call = TraitCall(attribute: isOfSuite ? "@Suite" : "@Test", trait: trait)
        call.name = settings.name
        call.mode = settings.mode == .default ? nil : "\(settings.mode)"
        call.hasDirectory = settings.directory != nil
        return TestIdentity(.trait(call), name: name, test: identified)
    }

    /// Records an issue for each miss that no code received, and returns these misses.
    @discardableResult
    private func reportMisses(of scope: CassetteScope) -> [Miss] {
        let misses = scope.stubber.takeMisses()
        for miss in misses { record(miss.description) }
        return misses
    }

    private func record(_ text: String, at place: Stub.SourceLocation? = nil) {
        let location = place.map {
            SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: Int($0.line), column: 1)
        }
        Issue.record(Comment(rawValue: text), sourceLocation: location ?? test.sourceLocation)
    }

    /// Records a warning, which does not fail the test; prints a note if this version of Swift Testing has no warnings.
    private func warn(_ text: String) {
        #if compiler(>=6.3)
            Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: test.sourceLocation)
        #else
            Note.print(text)
        #endif
    }

    private func end(_ scope: CassetteScope, hasFailed: Bool) {
        let problems = scope.end(testFailed: hasFailed) { warn(scope.stubber.text(of: $0)) }
        for problem in problems {
            record(scope.stubber.text(of: problem), at: TestEnd.sourceLocation(of: problem))
        }
        if hasFailed || !problems.isEmpty { attach(scope.stubber.location) }
    }

    /// Attaches the failed recording beside the cassette if there is one, otherwise the cassette.
    private func attach(_ location: CassetteLocation) {
        for url in [location.failedRecording, location.destination, location.source] {
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { continue }
            #if compiler(>=6.2)
                Attachment.record(text, named: url.lastPathComponent, sourceLocation: test.sourceLocation)
            #endif
            return
        }
    }
}

/// Replaces the error of a miss that was already recorded as an issue.
private struct ReportedMiss: Error, CustomStringConvertible {
    let description: String
}

extension Issue {
    fileprivate var lineAndText: String {
        sourceLocation.map { "\($0.fileName):\($0.line): \(self)" } ?? "\(self)"
    }
}
