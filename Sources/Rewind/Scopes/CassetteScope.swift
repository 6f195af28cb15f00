import Foundation

/// The time in which one stubber serves one test: the engine behind every door for people.
package struct CassetteScope: Sendable {
    package let stubber: Stubber
    private let route: Route

    /// Makes the stubber serve the code that ``run(_:)`` runs.
    ///
    /// Inside another scope, that one's cassette plays what this one's has no answer to.
    package init(_ stubber: Stubber) throws {
        try stubber.claimCassette()
        self.stubber = stubber
        let outer = Route.current
        stubber.nest(in: outer?.stubber)
        route = Route(stubber)
        ActiveRoutes.shared.add(route, within: outer)
    }

    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Route.$current.withValue(route, operation: body)
    }

    package func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Route.$current.withValue(route, operation: body)
    }

    /// Nothing that may throw stands between the scope and its end.
    package static func serve<Result>(_ stubber: Stubber, _ body: () throws -> Result) throws -> Result {
        let scope = try CassetteScope(stubber)
        let result: Result
        do {
            result = try scope.run(body)
        } catch {
            scope.settleRunningLoop()
            scope.endFailed()
            throw error
        }
        scope.settleRunningLoop()
        if let problem = scope.endWell() { throw problem }
        return result
    }

    package static func serve<Result>(
        _ stubber: Stubber,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let scope = try CassetteScope(stubber)
        let result: Result
        do {
            result = try await scope.run(body)
        } catch {
            await scope.settle()
            scope.endFailed()
            throw error
        }
        await scope.settle()
        if let problem = scope.endWell() { throw problem }
        return result
    }

    /// Waits until every request is decided about and every recording has its answer, but no longer than the configuration allows.
    package func settle() async { await stubber.pendingWork.wait(before: deadline) }

    /// Waits likewise on a thread that has a run loop, which goes on running.
    package func settleRunningLoop() {
        // Only the main run loop can be woken from elsewhere, and not while a block of the main queue runs.
        let longest = 0.01
        stubber.pendingWork.wait(before: deadline) { rest in
            RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: min(rest, longest)))
        }
    }

    private var deadline: Deadline { Deadline(after: stubber.configuration.inFlightTimeout) }

    /// Waits until every callback for what has happened so far has returned, for at most a second.
    package func settleNotices() { stubber.pendingWork.wait(for: .callback, before: Deadline(after: 1)) }

    /// Ends the scope: requests are refused from now on, and what was recorded is written.
    package func end(
        testFailed: Bool,
        warn: (Stubber.ScopeError) -> Void = { Note.print("\($0)") }
    ) -> [any Error] {
        ActiveRoutes.shared.remove(route)
        do {
            let report = try stubber.end(testFailed: testFailed)
            return drift(of: report, warn) + problems(of: report, testFailed: testFailed)
        } catch {
            return [error]
        }
    }

    package func finish() throws {
        if let problem = endWell() { throw problem }
    }

    /// Ends the scope of code that went well, and prints all problems but the first, which is the caller's to throw.
    private func endWell() -> (any Error)? {
        let problems = end(testFailed: false)
        for problem in problems.dropFirst() { Note.print("\(problem)") }
        return problems.first
    }

    /// Ends the scope of code that failed, whose own error is the one to be thrown.
    private func endFailed() {
        for problem in end(testFailed: true) { Note.print("\(problem)") }
    }
}
