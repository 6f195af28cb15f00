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
        _ condition: RequestCondition,
        named name: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        respond: @escaping @Sendable (StubbedRequest) async throws -> StubAnswer
    ) -> Stub {
        let location = Stub.SourceLocation(fileID, filePath, line)
        return add(Stub(condition, named: name, at: location, .computed(respond)))
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
        _ condition: RequestCondition,
        named name: String? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        respond answer: StubAnswer
    ) -> Stub {
        let location = Stub.SourceLocation(fileID, filePath, line)
        return add(Stub(condition, named: name, at: location, .fixed(answer)))
    }

    /// Takes all stubs away, as ``Stub/remove()`` does one.
    public func removeStubs() {
        for stub in stubs { stub.remove() }
    }

    /// The stubs that were declared, in order, those that were removed included.
    public var stubs: [Stub] { state.withLock { $0.stubs?.declared ?? [] } }

    func add(_ stub: Stub) -> Stub {
        if let problem = stub.problem { Note.print("\(problem)") }
        let number = state.withLock { state in
            var stubs = state.stubs ?? StubRegistry()
            // The only reference, so that adding copies nothing.
            state.stubs = nil
            defer { state.stubs = stubs }
            return stubs.add(stub)
        }
        stub.onRemoval { [weak self] in self?.state.withLock { $0.stubs?.remove(number) } }
        return stub
    }

    // MARK: Mocktail

    /// Adds the stub of a Mocktail file, or of each `.tail` file in a folder.
    ///
    /// A stub answers the requests in whose method and URL the regular expressions of the file's first two lines find a match,
    /// ignoring letter case, as in OHHTTPStubs. If several files match, the one whose name comes last answers.
    /// - Parameters:
    ///   - path: The path of the file or folder. A relative path begins at the folder of the calling source file.
    ///   - fileID: The source file for messages; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line for messages; the caller's by default.
    /// - Returns: The stubs, named after their files. A file that cannot be read fails the test at this line.
    @discardableResult
    public func stub(
        mocktails path: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> [Stub] {
        let location = Stub.SourceLocation(fileID, filePath, line)
        let file = StubFile(path, at: location)
        do {
            return try file.files(withExtension: "tail").map { file in add(mocktail: file, at: location) }
        } catch {
            let name = file.url.lastPathComponent
            return [add(Stub(!.any, named: name, at: location, .fixed(StubAnswer(error))))]
        }
    }

    private func add(mocktail file: StubFile, at location: Stub.SourceLocation) -> Stub {
        let name = file.url.lastPathComponent
        do {
            let stub = try file.mocktail()
            let condition = RequestCondition.mocktail(method: stub.methodPattern, url: stub.urlPattern)
            let answer = StubAnswer(try file.response(as: MocktailFormat.self))
            return add(Stub(condition, named: name, at: location, .fixed(answer)))
        } catch {
            return add(Stub(!.any, named: name, at: location, .fixed(StubAnswer(error))))
        }
    }
}
