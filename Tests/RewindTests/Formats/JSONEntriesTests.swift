import Foundation
import Testing

@testable import Rewind

struct JSONEntriesTests {
    private func elements(of text: String, at path: [String]) throws -> [String] {
        let data = Data(text.utf8)
        return try JSONEntries.ranges(in: data, at: path).map { String(decoding: data[$0], as: UTF8.self) }
    }

    @Test("Elements are found with their exact text")
    func exactText() throws {
        let text =
            #"{"log": {"entries" : [ {"a": [1, 2]} ,"é\n", 1.50,[ ], null ] , "z": 8}, "entries": [7]}"#
        let found = try elements(of: text, at: ["log", "entries"])
        #expect(found == [#"{"a": [1, 2]}"#, #""é\n""#, "1.50", "[ ]", "null"])
    }

    @Test("A byte order mark and white space shift the ranges")
    func byteOrderMark() throws {
        #expect(try elements(of: "\u{FEFF}\n{\"log\":\r\n[\n  {},\n  []\n]}", at: ["log"]) == ["{}", "[]"])
    }

    @Test("An empty path is the root of the document")
    func emptyPath() throws {
        #expect(try elements(of: "[1, [2]]", at: []) == ["1", "[2]"])
    }

    @Test(
        "A path to a value that is not an array results in no ranges",
        arguments: [
            "1", "[]", "{}", #"{"log": []}"#, #"{"log": [{"entries": [1]}]}"#, #"{"log": {"entries": {}}}"#,
            #"{"a": {"log": {"entries": [1]}}}"#, #"{"log": {"log": {"entries": [1]}}}"#,
            #"{"log": {"entries": []}}"#,
        ]
    )
    func nothing(_ text: String) throws {
        #expect(try elements(of: text, at: ["log", "entries"]) == [])
    }

    @Test("Of several members with the same name, the last one counts")
    func duplicates() throws {
        #expect(try elements(of: #"{"a": {"b": [1], "b": [2]}}"#, at: ["a", "b"]) == ["2"])
        #expect(try elements(of: #"{"a": {"b": [1]}, "a": {"b": [3]}}"#, at: ["a", "b"]) == ["3"])
        #expect(try elements(of: #"{"a": {"b": [1]}, "a": {}}"#, at: ["a", "b"]) == [])
        #expect(try elements(of: #"{"a": {"b": [1], "b": null}}"#, at: ["a", "b"]) == [])
    }

    @Test("Ranges are valid indices of a data slice")
    func slice() throws {
        let data = Data("xx[10, 20]".utf8).dropFirst(2)
        let ranges = try JSONEntries.ranges(in: data, at: [])
        #expect(ranges == [3..<5, 7..<9])
        #expect(ranges.map { Data(data[$0]) } == [Data("10".utf8), Data("20".utf8)])
    }

    @Test("Invalid JSON results in the error of the parser")
    func errors() {
        let data = Data("{\"log\": [1 2]}".utf8)
        let plain = #expect(throws: JSONError.self) { try JSON(parsing: data) }
        let located = #expect(throws: JSONError.self) {
            try JSONEntries.ranges(in: data, at: ["log"])
        }
        #expect(located == plain)
    }
}
