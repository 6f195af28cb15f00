import Foundation
import Rewind
import RewindTestSupport
import Testing

struct StubFileTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func file(_ name: String, _ text: String) throws -> URL {
        try Data(text.utf8).write(to: folder[name])
        return folder[name]
    }

    @Test(
        "The media type follows from the file extension",
        arguments: [
            ("a.json", "application/json; charset=utf-8"), ("A.JPG", "image/jpeg"),
            ("a.b.html", "text/html; charset=utf-8"),
            ("a.txt", "text/plain; charset=utf-8"), ("a.svg", "image/svg+xml"), ("a.xml", "application/xml"),
            ("a.mp4", "video/mp4"), ("a.bin", "application/octet-stream"), ("json", "application/octet-stream"),
            ("a.", "application/octet-stream"), ("ä b.css", "text/css; charset=utf-8"),
        ]
    )
    func type(_ name: String, _ type: String) throws {
        let play = try StubAnswer.file(try file(name, "hello")).play()
        #expect(play.text == "hello")
        #expect(play.response?.headers == ["Content-Type": type, "Content-Length": "5"])
    }

    @Test("A file answer can have another media type, status and header fields")
    func fields() throws {
        let url = try file("a.json", "{}")
        let play = try StubAnswer.file(url.path, contentType: "x/y", status: 206, headers: ["A": "b"]).play()
        #expect(
            play.response
                == Interaction.Response(
                    status: 206,
                    headers: ["A": "b", "Content-Type": "x/y", "Content-Length": "2"],
                    body: Interaction.Body("{}")
                )
        )
        let own = try StubAnswer.file(url, headers: ["content-type": "u/v"]).play()
        #expect(own.response?.headers.values(for: "Content-Type") == ["u/v"])
    }

    @Test("A relative path begins at the folder of the source file")
    func relative() throws {
        let source = StubFileTests.self
        let text = try StubAnswer.file("StubFileTests.swift").play().text
        #expect(text.contains("struct \(source)"))
        #expect(try !StubAnswer.file("../Answers/./StubFileTests.swift").play().text.isEmpty)
        #expect(StubAnswer.file("StubFileTests.swift").readingFiles(from: "/tmp/x.swift").problem != nil)
    }

    @Test("An empty file is an empty body")
    func empty() throws {
        let play = try StubAnswer.file(try file("a.txt", "")).play()
        #expect(play.response?.body == Interaction.Body())
        #expect(play.response?.headers["Content-Length"] == "0")
    }

    @Test("A symbolic link to a file is followed")
    func link() throws {
        let url = try file("a.txt", "hello")
        try FileManager.default.createSymbolicLink(at: folder["b.json"], withDestinationURL: url)
        let play = try StubAnswer.file(folder["b.json"]).play()
        #expect(play.text == "hello")
        #expect(play.response?.headers["Content-Type"] == "application/json; charset=utf-8")
    }

    @Test("A path that is not a local file is an error that names it")
    func noFile() throws {
        let web = try #require(URL(string: "https://example.com/a.json"))
        let cases: [(StubAnswer, String)] = [
            (.file(folder["none.json"]), "the file \(folder["none.json"].path) does not exist"),
            (.file(folder.url), "the file \(folder.url.path) is a folder"),
            (.file(folder.url.path), "the file \(folder.url.path) is a folder"),
            (.file(web), "the file https://example.com/a.json is not on this machine"),
            (.file("/dev/zero"), "the file /dev/zero is not a regular file"),
            (.mocktail(folder["none.tail"].path), "the file \(folder["none.tail"].path) does not exist"),
            (.curlDump(folder.url.path), "the file \(folder.url.path) is a folder"),
        ]
        for (answer, cause) in cases { #expect(answer.outcome() == "invalid: \(cause)") }
        #expect(StubAnswer.file("").outcome().hasSuffix("is a folder"))
        #expect(StubAnswer.file("no\0thing").outcome().hasPrefix("invalid: "))
    }

    @Test("A Mocktail answer has the status, fields and body of the file and ignores its patterns")
    func mocktail() throws {
        let text = "POST|PUT\nhttps://other.example/.*\n201\ntext/plain\nX-A: 1\n\nhello"
        let url = try file("a.tail", text)
        let expected = Interaction.Response(
            status: 201,
            headers: ["Content-Type": "text/plain", "X-A": "1"],
            body: Interaction.Body("hello")
        )
        #expect(try StubAnswer.mocktail(url.path).play().response == expected)
        let image = try file("b.tail", "GET\na\n200\nimage/png;base64\n\naGk=")
        #expect(try StubAnswer.mocktail(image.path).play().text == "hi")
    }

    @Test("A curl dump answers with its status, fields and body")
    func curl() throws {
        let url = try file("a.response", "HTTP/1.1 404 Gone Fishing\r\nContent-Length: 2\r\nA: b\r\n\r\nno")
        let expected = Interaction.Response(
            status: 404,
            statusText: "Gone Fishing",
            headers: ["Content-Length": "2", "A": "b"],
            body: Interaction.Body("no")
        )
        #expect(try StubAnswer.curlDump(url.path).play().response == expected)
    }

    @Test("A file in another format, or a broken one, is an error")
    func wrongFormat() throws {
        let tail = try file("a.tail", "GET\na\n200\ntext/plain\n\nhello")
        let dump = try file("a.response", "HTTP/1.1 200 OK\r\nA: b\r\n\r\nhello")
        #expect(StubAnswer.mocktail(dump.path).outcome().hasSuffix("is not in the format Mocktail"))
        #expect(
            StubAnswer.curlDump(tail.path).outcome().hasSuffix("is not in the format curl -is output")
        )
        #expect(StubAnswer.curlDump(try file("empty", "").path).outcome().hasPrefix("invalid: "))
        let cut = try file("b.response", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
        #expect(StubAnswer.curlDump(cut.path).outcome().contains("is invalid: the body is shorter than"))
        #expect(StubAnswer.curlDump(cut.path).outcome().contains("Content-Length"))
        let image = try file("b.tail", "GET\na\n200\nimage/png;base64\n\n!")
        #expect(
            StubAnswer.mocktail(image.path).outcome().hasSuffix("has no response: the body is not valid base64")
        )
    }

    @Test("The file is read when the stub is declared")
    func readAtDeclaration() throws {
        let url = try file("a.txt", "hello")
        let stubber = Stubber(stubsOnly: Stubber.Configuration())
        stubber.stub(.path("/a"), respond: .sequence([.file(url)], then: .last))
        try FileManager.default.removeItem(at: url)
        let answer = stubber.answer(to: Interaction.Request(url: "https://h/a"))
        guard case .play(let played, _) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(played.interaction.response?.body == Interaction.Body("hello"))
    }

    @Test("A file URL is used as it is, even if its path looks like a remote URL")
    func colonInPath() throws {
        try FileManager.default.createDirectory(at: folder["http:"], withIntermediateDirectories: false)
        _ = try file("http:/a.txt", "hello")
        let url = URL(fileURLWithPath: folder.url.path + "/http://a.txt")
        #expect(try StubAnswer.file(url).play().text == "hello")
        #expect(try StubAnswer.file(url.path).play().text == "hello")
    }
}
