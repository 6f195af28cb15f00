import Foundation

extension Stubber {
    /// Answers the requests that satisfy a condition with what code makes of them.
    ///
    /// ```swift
    /// stubber.stub(.get("https://api.example.com/users/*")) { request in
    ///     .json(["id": request.wildcards[0]])
    /// }
    /// ```
    ///
    /// A stub answers before the cassette and in every mode. Of several, the one that was added last answers. An error
    /// that the code throws is the one with which the request fails.
    /// - Parameters:
    ///   - condition: What a request has to satisfy.
    ///   - name: A name for messages; none by default.
    ///   - fileID: Where the stub is declared.
    ///   - filePath: Where the stub is declared.
    ///   - line: Where the stub is declared.
    ///   - respond: Gives the answer. It is called on a thread of its own and may take its time.
    /// - Returns: The stub, which can be removed and asked for its calls.
    @discardableResult
    public func stub(
        _ condition: Condition,
        named name: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        respond: @escaping @Sendable (StubbedRequest) async throws -> StubAnswer
    ) -> Stub {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return add(Stub(condition, named: name, at: place, .computed(respond)))
    }

    /// Answers the requests that satisfy a condition.
    ///
    /// ```swift
    /// stubber.stub(.host("api.example.com"), respond: .failure(.notConnectedToInternet))
    /// ```
    /// - Parameters:
    ///   - condition: What a request has to satisfy.
    ///   - name: A name for messages; none by default.
    ///   - fileID: Where the stub is declared.
    ///   - filePath: Where the stub is declared.
    ///   - line: Where the stub is declared.
    ///   - answer: The answer. One that cannot be given, such as a file that is missing, fails the test at this line.
    /// - Returns: The stub, which can be removed and asked for its calls.
    @discardableResult
    public func stub(
        _ condition: Condition,
        named name: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        respond answer: StubAnswer
    ) -> Stub {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return add(Stub(condition, named: name, at: place, .fixed(answer)))
    }

    /// Takes all stubs away, as ``Stub/remove()`` does one.
    public func removeStubs() {
        for stub in stubs { stub.remove() }
    }

    /// The stubs that were declared, in order, those that were removed included.
    public var stubs: [Stub] { state.withLock { $0.stubs.declared } }

    func add(_ stub: Stub) -> Stub {
        if let problem = stub.problem { Note.print("\(problem)") }
        let number = state.withLock { $0.stubs.add(stub) }
        stub.onRemoval { [weak self] in
            self?.state.withLock { $0.stubs.remove(number) }
        }
        return stub
    }
}
