import Foundation

extension StubAnswer {
    /// The response of a Mocktail file, such as `login.tail`, which OHHTTPStubs plays too.
    ///
    /// The method and the URL of the file are not looked at; the stub has a condition of its own.
    /// - Parameters:
    ///   - path: The path of the file; a relative one begins at the folder of the source file that has the stub.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func mocktail(
        _ path: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return dump(StubFile(path: path, at: place), MocktailFormat.self)
    }

    /// The response of a Mocktail file, such as `login.tail`, which OHHTTPStubs plays too.
    ///
    /// The method and the URL of the file are not looked at; the stub has a condition of its own.
    /// - Parameters:
    ///   - url: The file, such as one of `Bundle.module`.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func mocktail(
        _ url: URL,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return dump(StubFile(url, at: place), MocktailFormat.self)
    }

    /// The response that `curl -is URL > FILE` printed.
    /// - Parameters:
    ///   - path: The path of the file; a relative one begins at the folder of the source file that has the stub.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func curlDump(
        _ path: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return dump(StubFile(path: path, at: place), CurlFormat.self)
    }

    /// The response that `curl -is URL > FILE` printed.
    /// - Parameters:
    ///   - url: The file, such as one of `Bundle.module`.
    ///   - fileID: The file to name in a problem; the caller's by default.
    ///   - filePath: The path of that file.
    ///   - line: The line to name in a problem; the caller's by default.
    /// - Returns: The answer.
    public static func curlDump(
        _ url: URL,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line
    ) -> StubAnswer {
        let place = StubPlace(fileID: fileID, filePath: filePath, line: line)
        return dump(StubFile(url, at: place), CurlFormat.self)
    }

    private static func dump(_ file: StubFile, _ format: any CassetteFormat.Type) -> StubAnswer {
        do {
            return StubAnswer(try file.response(as: format), at: file.place)
        } catch {
            return StubAnswer(error)
        }
    }
}
