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
        stubber.nest(in: (outer ?? ActiveRoutes.shared.ofProcess)?.stubber)
        route = Route(stubber)
        ActiveRoutes.shared.add(route, within: outer)
    }

    /// Makes a stubber answer in place of that of the running scope, which it replaces for as long.
    init(inPlaceOfRunning stubber: Stubber) {
        self.stubber = stubber
        route = Route(stubber)
        ActiveRoutes.shared.add(route, within: Route.current)
    }

    package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Route.$assignment.withValue(.route(route), operation: body)
    }

    package func run<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Route.$assignment.withValue(.route(route), operation: body)
    }

    /// Nothing may throw between the creation of the scope and its end.
    package static func serve<Result>(_ stubber: Stubber, _ body: () throws -> Result) throws -> Result {
        let scope = try CassetteScope(stubber)
        let result: Result
        do {
            result = try scope.run(body)
        } catch {
            scope.settleRunningLoop()
            scope.end(after: error)
            throw error
        }
        scope.settleRunningLoop()
        try scope.finish()
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
            scope.end(after: error)
            throw error
        }
        await scope.settle()
        try scope.finish()
        return result
    }

    /// Waits until each request has a decision and each recording a response, at most as long as the configuration allows.
    package func settle() async { await stubber.pendingWork.wait(before: stubber.inFlightDeadline) }

    /// Does the same on a thread with a run loop, which keeps running.
    package func settleRunningLoop() { stubber.settleRunningLoop() }

    /// Waits until all callbacks so far have returned, at most one second.
    package func settleNotices() { stubber.pendingWork.wait(for: .callback, before: Deadline(after: 1)) }

    /// Ends the scope: later requests are refused, and the recording is written.
    /// - Returns: The errors for which the test fails, the most important one first.
    package func end(
        testFailed: Bool,
        warn: (Stubber.ScopeError) -> Void = { Note.print("\($0)") }
    ) -> [any Error] {
        ActiveRoutes.shared.remove(route)
        let end = stubber.end(testFailed: testFailed, warn: warn)
        stubber.noteRecordings(of: end)
        return end.problems
    }

    /// Ends the scope after success. It throws the first problem, and prints the others.
    package func finish() throws {
        let problems = end(testFailed: false)
        for problem in problems.dropFirst() { Note.print("\(problem)") }
        if let first = problems.first { throw first }
    }

    /// Ends the scope after an error, which the caller throws.
    private func end(after error: any Error) {
        stubber.removeMisses(describedBy: error)
        for problem in end(testFailed: true) { Note.print("\(problem)") }
    }
}

extension Stubber {
    /// Lets the outer scope answer requests that this one cannot. Only this one records.
    package func nest(in outer: Stubber?) {
        guard let outer, !outer.isNested(in: self) else { return }
        state.withLock { $0.outer = outer }
    }

    private func isNested(in other: Stubber) -> Bool {
        self === other || state.withLock { $0.outer }?.isNested(in: other) ?? false
    }
}
