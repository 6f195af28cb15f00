import Foundation
import RewindTestSupport
import Rewind
import Testing

struct MultipartContentTests {
    private static let alamofire = [
        "--alamofire.boundary.8f1c5e0b9d3a2c47", "Content-Disposition: form-data; name=\"user\"", "", "Jörg",
        "--alamofire.boundary.8f1c5e0b9d3a2c47",
        "Content-Disposition: form-data; name=\"avatar\"; filename=\"me.png\"", "Content-Type: image/png", "",
        "\u{1}PNG\r\n--alamofire.boundary\r\n\n", "--alamofire.boundary.8f1c5e0b9d3a2c47--", "",
    ].joined(separator: "\r\n")

    private static let curl = [
        "--------------------------d74496d66958873e", "Content-Disposition: attachment; name=\"a\"", "", "1",
        "--------------------------d74496d66958873e",
        #"Content-Disposition: form-data; name="f"; filename="a\"b;c.txt""#, "Content-Type: text/plain", "",
        "x\n", "",
        "--------------------------d74496d66958873e--", "",
    ].joined(separator: "\r\n")

    private static func parts(_ text: String, boundary: String = "x") -> [String]? {
        MultipartContent(Data(text.utf8), boundary: boundary)?.parts.map {
            String(decoding: $0.content, as: UTF8.self)
        }
    }

    @Test("A form from Alamofire is read from a data slice")
    func alamofireForm() throws {
        let data = Data(("skip" + Self.alamofire).utf8).dropFirst(4)
        let boundary = try #require(MultipartContent.boundary(beginning: data))
        #expect(boundary == "alamofire.boundary.8f1c5e0b9d3a2c47")
        let content = try #require(MultipartContent(data, boundary: boundary))
        #expect(content.parts.map(\.name) == ["user", "avatar"])
        #expect(content.parts.map(\.fileName) == [nil, "me.png"])
        #expect(content.parts.map { $0.mediaType?.essence } == [nil, "image/png"])
        #expect(
            content.parts.map(\.content) == [
                Data("Jörg".utf8), Data("\u{1}PNG\r\n--alamofire.boundary\r\n\n".utf8),
            ]
        )
        for part in content.parts {
            let range = part.contentRange
            #expect(data.dropFirst(range.lowerBound).prefix(range.count) == part.content)
        }
    }

    @Test("A form from curl is read, with quotes and semicolons in a file name")
    func curlForm() throws {
        let data = Data(Self.curl.utf8)
        let boundary = try #require(MultipartContent.boundary(beginning: data))
        #expect(boundary == "------------------------d74496d66958873e")
        let content = try #require(MultipartContent(data, boundary: boundary))
        #expect(content.parts.map(\.name) == ["a", "f"])
        #expect(content.parts.last?.fileName == #"a"b;c.txt"#)
        #expect(Self.parts(Self.curl, boundary: boundary) == ["1", "x\n\r\n"])
    }

    @Test(
        "Unusual but valid multipart bodies are read",
        arguments: [
            ("--x\r\n\r\na\r\n--x--", ["a"]), ("--x\r\n\r\na\r\n--x--\r\n", ["a"]),
            ("--x\n\na\n--x--\n", ["a"]),
            ("--x\nA: b\n\na\n--x\n\nb\n--x--", ["a", "b"]), ("--x \t\r\n\r\na\r\n--x-- \r\n", ["a"]),
            ("preamble\r\n--xy\r\n--x\r\n\r\na\r\n--x--\r\nepilogue\r\n--x\r\n\r\nno", ["a"]),
            ("--x\r\n\r\n\r\n--x--", [""]), ("--x\r\n\r\n--x--", [""]), ("--x\r\nA: b\r\n\r\n--x--", [""]),
            ("--x\r\n\r\n\r\n\r\n--x--", ["\r\n"]), ("--x\r\n\r\na--x--\r\n--x--", ["a--x--"]),
            ("--x\r\n\r\n--xy\r\n --x\r\n--x-\r\n--x--", ["--xy\r\n --x\r\n--x-"]),
            ("--x\r\n\r\na\r\r\n--x--", ["a\r"]),
            ("--x\r\n\r\n--x--y\r\n--x--", ["--x--y"]), ("\r\n--x\r\n\r\na\r\n--x--", ["a"]),
        ]
    )
    func accepted(_ text: String, _ parts: [String]) {
        #expect(Self.parts(text) == parts)
    }

    @Test(
        "A body without a closing boundary, a part or an end of headers is not multipart",
        arguments: [
            "", "--", "--x", "--x--", "--x--\r\n", "--x\r\n--x--", "--x\r\nA: b\r\n--x--", "--x\r\n\r\na", "a",
            "--x\r\n\r\na\r\n--x", "--x\r\n\r\na\r\n--x-", "--x\r\n\r\na--x--", "--x\r\n\r\na\r\n--y--", "\r\n",
            "\n\n\n",
            "--x\r\n\r\na\r\n--x\r\n--x--", "--x\r\r\na\r\n--x--", "--X\r\n\r\na\r\n--X--",
        ]
    )
    func refused(_ text: String) {
        #expect(Self.parts(text) == nil)
        #expect(Self.parts(text, boundary: "") == nil)
    }

    @Test("A boundary may end with hyphens or be the prefix of another one")
    func similarBoundaries() {
        #expect(Self.parts("--x--\r\n\r\na\r\n--x----", boundary: "x--") == ["a"])
        let nested = "--x\r\n\r\n--xy\r\n\r\na\r\n--xy--\r\n--x--"
        #expect(Self.parts(nested) == ["--xy\r\n\r\na\r\n--xy--"])
        #expect(Self.parts(nested, boundary: "xy") == ["a"])
    }

    @Test(
        "The boundary is found in the first line",
        arguments: [
            ("--x\r\n", "x"), ("--x\n", "x"), ("--x \r\n", "x"),
            ("----WebKitFormBoundaryA1\r\n", "--WebKitFormBoundaryA1"),
            ("--x", nil), ("--\r\n", nil), ("-x\r\n", nil), ("", nil), ("\r\n--x\r\n", nil), ("x\n--x\n", nil),
            ("--" + String(repeating: "b", count: 70) + "\r\n", String(repeating: "b", count: 70)),
            ("--" + String(repeating: "b", count: 71) + "\r\n", nil), (String(repeating: "-", count: 200), nil),
        ] as [(String, String?)]
    )
    func boundary(_ text: String, _ boundary: String?) {
        #expect(MultipartContent.boundary(beginning: Data(text.utf8)) == boundary)
        #expect(MultipartContent.boundary(beginning: Data(("\n" + text).utf8).dropFirst()) == boundary)
    }

    @Test("Part headers keep their order, and may be folded or not UTF-8")
    func headers() throws {
        let bytes = Array("--x\r\nb: 1\r\nA:  2 \r\n\t3\r\nno colon\r\nb:\r\nc: \u{e9}".utf8)
        let latin = bytes + [0xE9] + Array("\r\n\r\n\r\n--x--".utf8)
        let part = try #require(MultipartContent(Data(latin), boundary: "x")?.parts.first)
        #expect(part.headers == [("b"): "1", "A": "2 3", "b": "", "c": "Ã©é"])
    }

    private static func content(_ text: String, boundary: String = "x") throws -> MultipartContent {
        try #require(MultipartContent(Data(text.utf8), boundary: boundary))
    }

    private static func part(_ headers: String, _ content: String = "a") -> String {
        "--x\r\n\(headers)\r\n\r\n\(content)\r\n--x--"
    }

    @Test("Replacing contents preserves every other byte, also in a data slice")
    func replacement() throws {
        let text =
            "pre\n--x \r\nContent-Disposition: form-data; name=a\r\n\r\none\r\n--x\nB:c\n\ntwo\n--x--\r\nepilogue"
        let data = Data(("skip" + text).utf8).dropFirst(4)
        let content = try #require(MultipartContent(data, boundary: "x"))
        #expect(content.replacingContents { _ in nil } == data)
        #expect(content.replacingContents { $0.content } == data)
        let replaced = content.replacingContents { $0.name == "a" ? Data("REDACTED".utf8) : nil }
        #expect(String(decoding: replaced, as: UTF8.self) == text.replacing("one", with: "REDACTED"))
        let emptied = content.replacingContents { _ in Data() }
        let expected = text.replacing("one", with: "").replacing("two", with: "")
        #expect(String(decoding: emptied, as: UTF8.self) == expected)
        #expect(MultipartContent(emptied, boundary: "x")?.parts.map(\.content) == [Data(), Data()])
    }

    @Test("Content can be inserted into a part without a line end", arguments: ["\r\n", "\n"])
    func missingLineEnd(_ lineEnd: String) throws {
        let content = try Self.content("--x\(lineEnd)A: b\(lineEnd)\(lineEnd)--x--")
        #expect(content.parts.first?.content.isEmpty == true)
        let replaced = content.replacingContents { _ in Data("new".utf8) }
        #expect(
            try Self.content(String(decoding: replaced, as: UTF8.self)).parts.map(\.content) == [
                Data("new".utf8)
            ]
        )
    }

    @Test("Equal parts are equal despite different boundaries, line ends and header spellings")
    func equal() throws {
        let left = try Self.content(
            "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\nContent-Type: text/plain; charset=x\r\n\r\n1\r\n--x--"
        )
        let right = try Self.content(
            "pre\n--yy \nX: y\ncontent-type: Text/Plain;Charset=\"x\"\nCONTENT-DISPOSITION: form-data;\n filename=f; name=a\n\n1\n--yy--\n",
            boundary: "yy"
        )
        #expect(left.canonicalData == right.canonicalData)
    }

    @Test(
        "Parts differ by name, file name, type or content",
        arguments: [
            (part("Content-Disposition: form-data; name=a"), part("Content-Disposition: form-data; name=b")),
            (part("Content-Disposition: form-data; name=a"), part("Content-Disposition: form-data")),
            (
                part("Content-Disposition: form-data; name=a"),
                part("Content-Disposition: form-data; filename=a")
            ),
            (part("Content-Disposition: form-data; name=\"\""), part("Content-Disposition: form-data")),
            (
                part("Content-Disposition: form-data; name=é"),
                part("Content-Disposition: form-data; name=e\u{301}")
            ),
            (part("Content-Type: text/plain"), part("A: b")),
            (part("Content-Type: text/plain"), part("Content-Type: text/html")),
            (part("Content-Type: a/b; c=d"), part("Content-Type: a/b; c=e")),
            (part("Content-Type: a"), part("Content-Type: b")),
            (part("A: b", "1"), part("A: b", "2")), (part("A: b", "1"), part("A: b", "1\r\n")),
            (part("A: b", ""), part("A: b", " ")),
            (part("A: b", "1\r\n--x\r\n\r\n2"), part("A: b", "2\r\n--x\r\n\r\n1")),
            (part("A: b", "1\r\n--x\r\n\r\n2"), part("A: b", "1")),
            (part("A: b", "1\n[null,null,null,{}]\n2"), part("A: b", "1\r\n--x\r\n\r\n2")),
            (part("A: b", "1\n[null,null,null,{}] 1\n2"), part("A: b", "1\r\n--x\r\n\r\n2")),
        ]
    )
    func different(_ left: String, _ right: String) throws {
        #expect(try Self.content(left).canonicalData != Self.content(right).canonicalData)
    }

    @Test("Truncated and randomly changed bodies never trap")
    func robustness() throws {
        let text =
            "\r\n--x\r\nContent-Disposition: form-data; name=\"a\\\"\"; filename*=UTF-8''%C3\r\n\r\n1\r\n--x\n\n\n--x--\r\n"
        let bytes = Array(text.utf8)
        for count in bytes.indices {
            let content = MultipartContent(Data(bytes[..<count]), boundary: "x")
            #expect((content != nil) == (count == bytes.count - 2), "\(count)")
        }
        var generator = SplitMix64(seed: 8)
        for _ in 0..<20_000 {
            let data = Data(generator.bytes(upTo: 30, from: "---xx\r\n\r\n\r\n :a"))
            _ = MultipartContent.boundary(beginning: data)
            guard let content = MultipartContent(data, boundary: "x") else { continue }
            #expect(content.replacingContents { $0.content } == data)
            let replaced = content.replacingContents { _ in Data("new".utf8) }
            let parts = try #require(MultipartContent(replaced, boundary: "x")).parts
            #expect(parts.map(\.content) == content.parts.map { _ in Data("new".utf8) })
            #expect(parts.map(\.headers) == content.parts.map(\.headers))
        }
    }

    @Test("Parts of several megabytes are read quickly")
    func large() throws {
        var generator = SplitMix64(seed: 9)
        let noise = (0..<500_000).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
        let data = Data("--x\r\n\r\n".utf8) + Data(noise) + Data("\r\n--x--".utf8)
        #expect(MultipartContent(data, boundary: "x")?.parts.first?.content == Data(noise))
    }
}
