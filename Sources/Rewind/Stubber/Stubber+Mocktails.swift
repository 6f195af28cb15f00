import Foundation

extension Stubber {
    /// Adds the stub of a Mocktail file, or those of all `.tail` files of a folder.
    ///
    /// Each answers the requests whose method and URL the regular expressions in its first two lines find something in,
    /// whatever the letter case, as OHHTTPStubs has it. Of several in a folder, the one whose name comes last answers.
    /// - Parameters:
    ///   - path: The path of the file or folder; a relative one begins at the folder of the source file.
    ///   - fileID: Where the stubs are declared.
    ///   - filePath: Where the stubs are declared.
    ///   - line: Where the stubs are declared.
    /// - Returns: The stubs, named for their files. A file that cannot be read fails the test at this line.
    @discardableResult
    public func stub(
        mocktails path: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> [Stub] {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return add(mocktails: StubFile(path: path, at: place))
    }

    /// Adds the stub of a Mocktail file, or those of all `.tail` files of a folder.
    ///
    /// Each answers the requests whose method and URL the regular expressions in its first two lines find something in,
    /// whatever the letter case, as OHHTTPStubs has it. Of several in a folder, the one whose name comes last answers.
    /// - Parameters:
    ///   - url: The file or folder, such as one of `Bundle.module`.
    ///   - fileID: Where the stubs are declared.
    ///   - filePath: Where the stubs are declared.
    ///   - line: Where the stubs are declared.
    /// - Returns: The stubs, named for their files. A file that cannot be read fails the test at this line.
    @discardableResult
    public func stub(
        mocktails url: URL,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> [Stub] {
        add(mocktails: StubFile(url, at: StubPlace(fileID: fileID, filePath: filePath, line: line)))
    }

    private func add(mocktails file: StubFile) -> [Stub] {
        do {
            return try file.files(withExtension: "tail").map { file in add(mocktail: file) }
        } catch {
            return [
                add(Stub(!.any, named: file.url.lastPathComponent, at: file.place, .fixed(StubAnswer(error))))
            ]
        }
    }

    private func add(mocktail file: StubFile) -> Stub {
        let name = file.url.lastPathComponent
        do {
            let stub = try file.mocktail()
            let condition = Condition.mocktail(method: stub.methodPattern, url: stub.urlPattern)
            let answer = StubAnswer(try file.response(as: MocktailFormat.self), at: file.place)
            return add(Stub(condition, named: name, at: file.place, .fixed(answer)))
        } catch {
            return add(Stub(!.any, named: name, at: file.place, .fixed(StubAnswer(error))))
        }
    }
}
