import Foundation

extension StubAnswer {
    /// A response with the bytes of a file, which is read here and now.
    ///
    /// ```swift
    /// .file("Fixtures/users.json")
    /// ```
    /// - Parameters:
    ///   - path: The path of the file; a relative one begins at the folder of the source file that has the stub.
    ///   - contentType: The `Content-Type`, unless the header fields have one; by default it is guessed from the
    ///     extension of the file's name.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func file(
        _ path: String,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return file(StubFile(path: path, at: place), contentType, status, headers)
    }

    /// A response with the bytes of a file, which is read here and now.
    /// - Parameters:
    ///   - url: The file, such as one of `Bundle.module`.
    ///   - contentType: The `Content-Type`, unless the header fields have one; by default it is guessed from the
    ///     extension of the file's name.
    ///   - status: The status code; 200 by default.
    ///   - headers: The header fields; none by default. A `Content-Length` is added where there is none.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func file(
        _ url: URL,
        contentType: String? = nil,
        status: Int = 200,
        headers: HeaderList = [:],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return file(StubFile(url, at: place), contentType, status, headers)
    }

    private static func file(
        _ file: StubFile,
        _ contentType: String?,
        _ status: Int,
        _ headers: HeaderList
    ) -> StubAnswer {
        do {
            let type = contentType ?? FileMediaType.of(file.url)
            return StubAnswer(
                Response(status: status, headers: headers, try file.contents(), type),
                at: file.place
            )
        } catch {
            return StubAnswer(error)
        }
    }
}
