/// The stubs of one stubber.
struct StubShelf: Sendable {
    /// Those that answer, found by what they ask for.
    private var index = ConditionIndex<Stub>()
    /// All that were ever declared, for what is told at the end.
    private(set) var declared: [Stub] = []

    /// Whether none answers.
    var isEmpty: Bool { index.isEmpty }

    /// The parts of a request that their conditions look at.
    private(set) var parts: RequestParts = []

    /// Puts a stub before the others, and returns the number by which it can be taken away.
    mutating func add(_ stub: Stub) -> Int {
        declared.append(stub)
        parts.formUnion(stub.condition.parts)
        return index.add(stub.condition, stub)
    }

    /// Takes a stub away.
    mutating func remove(_ number: Int) {
        index.remove(number)
    }

    /// The stub that answers a request, and what its wildcards stand for: of several, the last that was added.
    func stub(for request: Request) -> (stub: Stub, wildcards: [String])? {
        let subject = ConditionSubject(request)
        for candidate in index.candidates(for: subject) {
            guard let wildcards = candidate.condition.captures(in: subject) else { continue }
            return (candidate.value, wildcards)
        }
        return nil
    }

    /// Those that a request came near to, the last that were added first, each with what does not hold for it.
    func passedOver(by request: Request) -> [String] {
        declared.reversed().lazy.filter { !$0.isRemoved }.prefix(Self.toldLimit).map { stub in
            let mismatch = stub.problem?.cause ?? stub.condition.mismatch(with: request)
            return "\(stub) is not for it: \(mismatch ?? "it was added later")"
        }
    }

    /// How many stubs a miss tells of.
    private static let toldLimit = 4

    /// Those that no request was for.
    var unused: [Stub] { declared.filter { $0.callCount == 0 } }

    /// What is wrong with the way some were declared.
    var problems: [StubProblem] { declared.compactMap(\.problem) }
}
