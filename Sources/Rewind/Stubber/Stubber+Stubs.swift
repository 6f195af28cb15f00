import Foundation

extension Stubber {
    /// Answers the requests that match a condition with the answers of a closure.
    ///
    /// ```swift
    /// stubber.stub(.get("https://api.example.com/users/*")) { request in
    ///     .json(["id": request.wildcards[0]])
    /// }
    /// ```
    ///
    /// A stub answers before the cassette, in every mode. If several stubs match, the one added last answers. If the closure
    /// throws, the request fails with that error.
    /// - Parameters:
    ///   - condition: The requests that the stub answers.
    ///   - name: A name for messages; none by default.
    ///   - fileID: The source file for messages; the caller's by default.
    ///   - filePath: The path of that file, in whose folder relative paths of files begin.
    ///   - line: The line for messages; the caller's by default.
    ///   - respond: Returns the answer. It runs in its own task and may suspend; the request waits for it.
    /// - Returns: The stub, with which you can check its requests or remove it.
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

    /// Answers the requests that match a condition with a fixed answer.
    ///
    /// ```swift
    /// stubber.stub(.host("api.example.com"), respond: .failure(.notConnectedToInternet))
    /// ```
    /// - Parameters:
    ///   - condition: The requests that the stub answers.
    ///   - name: A name for messages; none by default.
    ///   - fileID: The source file for messages; the caller's by default.
    ///   - filePath: The path of that file, in whose folder relative paths of files begin.
    ///   - line: The line for messages; the caller's by default.
    ///   - answer: The answer. If it is invalid, for example because a file is missing, the test fails at this line.
    /// - Returns: The stub, with which you can check its requests or remove it.
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

    /// Removes all stubs.
    public func removeStubs() {
        for stub in stubs { stub.remove() }
    }

    /// All stubs in the order in which they were added, including removed ones.
    public var stubs: [Stub] { state.withLock { $0.stubs?.declared ?? [] } }

    /// Whether it takes a request with a scheme of the app: if a stub of this scope or an outer one could answer.
    ///
    /// The conditions are not compared here, because they may contain code of the test.
    func takes(_ url: URL?) -> Bool { AppScheme.isUsed(by: url) && hasStubs }

    private var hasStubs: Bool {
        let (hasOwn, outer) = state.withLock { ($0.stubs?.isEmpty == false, $0.outer) }
        return hasOwn || outer?.hasStubs ?? false
    }

    func add(_ stub: Stub) -> Stub {
        if let problem = stub.problem { Note.print("\(problem)") }
        let number = state.withLock { state in
            var stubs = state.stubs ?? StubRegistry()
            // Clearing the other reference avoids a copy.
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
        let file = StubFile(.path(path), at: location)
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
