import Foundation

/// The places at which an error can begin; `points.py` puts a call to each of them into a copy of the sources.
///
/// A point that is armed throws once, at the time of its passing that it is told.
package enum FaultPoint {
    private struct State: Sendable {
        var isCounting = false
        var counts: [UInt: (name: StaticString, count: Int)] = [:]
        var armed: String?
        var due = 0
        var hasThrown = false
    }

    private static let state = Locked(State())

    /// Counts from now on, and has a point throw when it is passed for the nth time.
    package static func begin(arming point: String? = nil, at number: Int = 1) {
        state.withLock { $0 = State(isCounting: true, armed: point, due: number) }
    }

    /// Does something that passes no points.
    package static func aside<Result>(_ body: () -> Result) -> Result {
        let isCounting = state.withLock { state in
            defer { state.isCounting = false }
            return state.isCounting
        }
        defer { state.withLock { $0.isCounting = isCounting } }
        return body()
    }

    /// Throws and counts no more; returns whether the armed point has thrown, and how often each was passed.
    package static func end() -> (hasThrown: Bool, counts: [String: Int]) {
        state.withLock { state in
            state.isCounting = false
            state.armed = nil
            let counts = state.counts.values.map { ("\($0.name)", $0.count) }
            return (state.hasThrown, Dictionary(counts, uniquingKeysWith: +))
        }
    }

    /// Passes a point.
    package static func pass(_ point: StaticString) throws {
        if isDue(point) { throw InjectedFault(text: text(of: point)) }
    }

    /// Passes a point of a function that throws errors of one type.
    package static func pass<Fault: Injectable>(_ point: StaticString, as type: Fault.Type) throws(Fault) {
        if isDue(point) { throw Fault.injected(text(of: point)) }
    }

    /// Passes a point before a call of Foundation.
    package static func passing<Value>(_ point: StaticString, _ value: Value) throws -> Value {
        try pass(point)
        return value
    }

    private static func text(of point: StaticString) -> String { "injected fault at \(point)" }

    private static func isDue(_ point: StaticString) -> Bool {
        state.withLock { state in
            guard state.isCounting else { return false }
            let key = UInt(bitPattern: point.utf8Start)
            let count = (state.counts[key]?.count ?? 0) + 1
            state.counts[key] = (point, count)
            guard let armed = state.armed, count == state.due, armed == "\(point)" else { return false }
            state.armed = nil
            state.hasThrown = true
            return true
        }
    }
}

/// The error of a point that knows no better one.
package struct InjectedFault: LocalizedError, CustomStringConvertible {
    let text: String

    package var description: String { text }
    package var errorDescription: String? { text }
}

/// An error of which one can be made that has a text.
package protocol Injectable: Error {
    static func injected(_ text: String) -> Self
}

extension JSONError: Injectable {
    package static func injected(_ text: String) -> JSONError {
        JSONError(offset: 0, line: 1, column: 1, problem: .invalidEscape(text))
    }
}

extension JSONPathError: Injectable {
    package static func injected(_ text: String) -> JSONPathError {
        JSONPathError(path: text, column: 1, problem: .expectedName)
    }
}

extension CassetteProblem: Injectable {
    package static func injected(_ text: String) -> CassetteProblem { .structure(place: "log", cause: text) }
}

extension BodyAbsence: Injectable {
    static func injected(_ text: String) -> BodyAbsence { BodyAbsence(reason: text) }
}

extension InflationExcess: Injectable {
    static func injected(_ text: String) -> InflationExcess { .body(limit: 0) }
}

extension StubProblem: Injectable {
    package static func injected(_ text: String) -> StubProblem {
        StubProblem(
            text,
            mend: "Arm no point.",
            at: StubPlace(fileID: #fileID, filePath: #filePath, line: #line)
        )
    }
}
