import Foundation

/// A hand-written answer for the requests that satisfy a condition.
///
/// Create one with ``Stubber/stub(_:named:fileID:filePath:line:respond:)-(_,_,_,_,_,(StubbedRequest)->StubAnswer)``. Store
/// it to check how often it was called, or to remove it.
public final class Stub: Sendable {
    /// The name that you gave it, if any.
    public let name: String?
    /// The condition that a request must satisfy.
    public let condition: RequestCondition
    /// The line that declares it.
    public let sourceLocation: Stub.SourceLocation
    let answer: Answer
    private let calls = Locked<[Interaction.Request]>([])
    private let removal = Locked<(@Sendable () -> Void)?>(nil)

    enum Answer: Sendable {
        case fixed(StubAnswer)
        /// The test's code creates an answer for each request.
        case computed(@Sendable (StubbedRequest) async throws -> StubAnswer)
    }

    init(
        _ condition: RequestCondition,
        named name: String?,
        at sourceLocation: Stub.SourceLocation,
        _ answer: Answer
    ) {
        self.condition = condition
        self.name = name
        self.sourceLocation = sourceLocation
        switch answer {
        case .fixed(let answer): self.answer = .fixed(answer.readingFiles(at: sourceLocation))
        case .computed: self.answer = answer
        }
    }

    /// The requests that it received, in order, as the app made them.
    public var requests: [Interaction.Request] { calls.withLock { $0 } }
    /// The number of requests that it received.
    public var callCount: Int { calls.withLock { $0.count } }

    /// Removes the stub. It does not answer later requests.
    public func remove() {
        let removal = removal.withLock { removal in
            defer { removal = nil }
            return removal
        }
        removal?()
    }

    var isRemoved: Bool { removal.withLock { $0 == nil } }
    func onRemoval(_ removal: @escaping @Sendable () -> Void) { self.removal.withLock { $0 = removal } }

    func call(_ request: Interaction.Request, _ wildcards: [String]) -> StubbedRequest {
        let number = calls.withLock { calls in
            calls.append(request)
            return calls.count - 1
        }
        return StubbedRequest(request: request, wildcards: wildcards, callNumber: number)
    }

    /// Whether deciding by it calls a closure of the test. A closure that computes the answer has its own task.
    var hasCallbacks: Bool {
        if case .fixed(let answer) = answer, answer.hasCallbacks { return true }
        return condition.hasCallbacks
    }

    var problem: StubError? {
        let problem: StubAnswer.Problem? =
            if let problem = condition.problem {
                StubAnswer.Problem("its condition is invalid", recoverySuggestion: problem)
            } else if case .fixed(let answer) = answer { answer.problem } else { nil }
        return problem.map { StubError($0, at: sourceLocation) }
    }
}

extension Stub: CustomStringConvertible {
    /// The name or the condition, and the line that declares the stub.
    public var description: String { "\(name.map { "“\($0)”" } ?? "\(condition)") (\(sourceLocation.text))" }
}

/// A request that a stub answers, with the texts that its wildcards matched.
///
/// ```swift
/// stubber.stub(.get("https://api.example.com/users/*")) { request in
///     .json(["id": request.wildcards[0], "page": request.url])
/// }
/// ```
@dynamicMemberLookup
public struct StubbedRequest: Sendable {
    /// The request as the app made it, with its body.
    public let request: Interaction.Request
    /// The texts that the wildcards of the condition matched, from left to right and percent-decoded.
    public let wildcards: [String]
    /// The number of requests that the stub received before this one: 0 for the first.
    public let callNumber: Int

    /// A property of the request.
    public subscript<Part>(dynamicMember part: KeyPath<Interaction.Request, Part>) -> Part {
        request[keyPath: part]
    }
}

struct StubRegistry: Sendable {
    private var index = ConditionIndex<Stub>()
    /// Includes removed stubs.
    private(set) var declared: [Stub] = []
    private(set) var parts: RequestParts = []
    /// Whether a condition or a fixed answer calls a closure of the test, also of a removed stub.
    private(set) var hasCallbacks = false
    var isEmpty: Bool { index.isEmpty }

    /// Returns the number with which to remove the stub.
    mutating func add(_ stub: Stub) -> Int {
        declared.append(stub)
        parts.formUnion(stub.condition.parts)
        hasCallbacks = hasCallbacks || stub.hasCallbacks
        return index.add(stub.condition, stub)
    }

    mutating func remove(_ number: Int) { index.remove(number) }

    /// The stub for a request: the one added last of those that match.
    func stub(for request: Interaction.Request) -> (stub: Stub, wildcards: [String])? {
        let subject = ConditionSubject(request)
        for candidate in index.candidates(for: subject) {
            guard let wildcards = candidate.condition.captures(in: subject) else { continue }
            return (candidate.value, wildcards)
        }
        return nil
    }

    /// The last four stubs, each with the reason it does not match a request.
    func passedOver(by request: Interaction.Request) -> [String] {
        let subject = ConditionSubject(request)
        return declared.reversed().lazy.filter { !$0.isRemoved }.prefix(4).map { stub in
            let mismatch = stub.problem?.cause ?? stub.condition.mismatch(with: subject)
            return "\(stub) does not match: \(mismatch ?? "it was added after the request")"
        }
    }

    var unused: [Stub] { declared.filter { $0.callCount == 0 } }
    var problems: [StubError] { declared.compactMap(\.problem) }
}
