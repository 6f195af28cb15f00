import Foundation

/// The code that one stubber serves. Functions, traits and test cases are built on it.
package struct CassetteScope: Sendable {
    package let stubber: Stubber
    private let route: Route

    /// Makes the stubber answer the requests of the code in ``run(_:)``.
    ///
    /// In a nested scope, the cassettes of the outer scopes answer requests that this cassette does not contain.
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

    /// Nothing may throw between the creation of the scope and its end.
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

    /// Waits until each request has a decision and each recording a response, at most as long as the configuration allows.
    package func settle() async { await stubber.pendingWork.wait(before: deadline) }

    /// Does the same on a thread with a run loop, which keeps running.
    package func settleRunningLoop() {
        // Only the main run loop can be woken from another thread, and not during a block of the main queue.
        let longest = 0.01
        stubber.pendingWork.wait(before: deadline) { rest in
            RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: min(rest, longest)))
        }
    }

    private var deadline: Deadline { Deadline(after: stubber.configuration.inFlightTimeout) }

    /// Waits until all callbacks so far have returned, at most one second.
    package func settleNotices() { stubber.pendingWork.wait(for: .callback, before: Deadline(after: 1)) }

    /// Ends the scope: later requests are refused, and the recording is written.
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

    /// Ends the scope after success. It returns the first problem for the caller to throw, and prints the others.
    private func endWell() -> (any Error)? {
        let problems = end(testFailed: false)
        for problem in problems.dropFirst() { Note.print("\(problem)") }
        return problems.first
    }

    /// Ends the scope after an error, which the caller throws.
    private func endFailed() {
        for problem in end(testFailed: true) { Note.print("\(problem)") }
    }
}
