import Foundation

/// A hand-written answer for the requests that satisfy a condition.
///
/// ``Stubber/stub(_:named:fileID:filePath:line:respond:)-(_,_,_,_,_,(StubbedRequest)->StubAnswer)`` makes one. Keep it to
/// ask how often it was called, or to remove it.
public final class Stub: Sendable {
    /// Its name, where it was given one.
    public let name: String?
    /// What a request has to satisfy.
    public let condition: Condition
    /// Where it is declared.
    public let place: StubPlace

    let response: Response
    private let calls = Locked<[Request]>([])
    private let removal = Locked<(@Sendable () -> Void)?>(nil)

    /// How it answers.
    enum Response: Sendable {
        /// With the same answer every time.
        case fixed(StubAnswer)
        /// With what code of the test makes of the request.
        case computed(@Sendable (StubbedRequest) async throws -> StubAnswer)
    }

    init(_ condition: Condition, named name: String?, at place: StubPlace, _ response: Response) {
        self.condition = condition
        self.name = name
        self.place = place
        self.response = response
    }

    /// The requests it was asked about, in order, as the app made them.
    public var requests: [Request] { calls.withLock { $0 } }

    /// How often it was asked.
    public var callCount: Int { calls.withLock { $0.count } }

    /// Takes it away: requests that follow are decided about as if it had never been there.
    public func remove() {
        let removal = removal.withLock { removal in
            defer { removal = nil }
            return removal
        }
        removal?()
    }

    /// Whether it was taken away.
    var isRemoved: Bool { removal.withLock { $0 == nil } }

    /// Names what takes it away.
    func onRemoval(_ removal: @escaping @Sendable () -> Void) {
        self.removal.withLock { $0 = removal }
    }

    /// Counts a call, and returns the request as the answer is to see it.
    func call(_ request: Request, _ wildcards: [String]) -> StubbedRequest {
        let number = calls.withLock { calls in
            calls.append(request)
            return calls.count - 1
        }
        return StubbedRequest(request: request, wildcards: wildcards, callNumber: number)
    }

    /// What is wrong with the way it was declared, if anything is.
    var problem: StubProblem? {
        if let problem = condition.problem {
            return StubProblem("its condition cannot be read", mend: problem, at: place)
        }
        guard case .fixed(let answer) = response else { return nil }
        return answer.problem
    }
}

extension Stub: CustomStringConvertible {
    /// Its name or its condition, and where it is declared.
    public var description: String {
        "\(name.map { "“\($0)”" } ?? "\(condition)") (\(place))"
    }
}
