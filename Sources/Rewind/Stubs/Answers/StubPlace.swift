/// Where a stub stands in the source of a test, so that a message can name it.
public struct StubPlace: Sendable {
    /// The file as `#fileID` spells it, such as `AppTests/UserTests.swift`.
    public let fileID: StaticString
    /// The path of the file.
    public let filePath: StaticString
    /// The line, counted from one.
    public let line: UInt

    /// Names a place.
    package init(fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
    }
}

extension StubPlace: CustomStringConvertible {
    /// The name of the file and the line.
    public var description: String {
        "\("\(fileID)".split(separator: "/").last ?? ""):\(line)"
    }
}
