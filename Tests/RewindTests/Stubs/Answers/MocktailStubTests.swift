import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct MocktailStubTests {
    private let folder: TemporaryDirectory
    private let stubber = Stubber(stubsOnly: Stubber.Configuration(), testName: "Stubs.mocktails")

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func put(_ name: String, _ lines: String...) throws {
        try Data(lines.joined(separator: "\n").utf8).write(to: folder[name])
    }

    private func text(_ method: String, _ url: String) -> String? {
        guard case .play(let played, _) = stubber.answer(to: Interaction.Request(method: method, url: url))
        else {
            return nil
        }
        return played.interaction.response.map {
            "\($0.status) \(String(decoding: $0.body.data, as: UTF8.self))"
        }
    }

    @Test("A Mocktail file answers the requests that its patterns match, ignoring case")
    func patterns() throws {
        try put("login.tail", "GET|POST", #"https?://[^/]+/login(\?.*)?$"#, "200", "text/plain", "", "welcome")
        let stubs = stubber.stub(mocktails: folder["login.tail"].path)
        #expect(stubs.map(\.name) == ["login.tail"])
        #expect(text("GET", "http://a.example/login") == "200 welcome")
        #expect(text("post", "https://b.example/LOGIN?next=1") == "200 welcome")
        #expect(text("PUT", "https://b.example/login") == nil)
        #expect(text("GET", "https://b.example/login/2") == nil)
    }

    @Test("A folder of Mocktail files is added in the order of names, and the last match wins")
    func folderOfFiles() throws {
        try put("a.tail", "GET", "/cards", "200", "application/json", "", "[]")
        try put("b.tail", "GET", "/cards/7", "404", "Content-Type: text/plain", "X-Other: 1", "", "none")
        try put("notes.txt", "not a stub")
        #expect(stubber.stub(mocktails: folder.url.path).map(\.name) == ["a.tail", "b.tail"])
        #expect(text("GET", "https://h/cards") == "200 []")
        #expect(text("GET", "https://h/cards/7") == "404 none")
    }

    @Test("A broken or missing Mocktail file is an error at the line of the stub")
    func broken() throws {
        try put("short.tail", "GET", "/a")
        try put("pattern.tail", "GET", "/a(", "200", "text/plain", "", "")
        for name in ["short.tail", "pattern.tail", "missing.tail"] {
            stubber.stub(mocktails: folder[name].path)
        }
        stubber.stub(mocktails: "NoSuchFolder")
        #expect(text("GET", "https://h/a") == nil)
        let problems = stubber.end(testFailed: false).report.stubErrors.map { "\($0)" }
        #expect(problems.count == 4)
        #expect(problems.allSatisfy { $0.contains("MocktailStubTests.swift:") })
        #expect(problems[0].contains("short.tail") && problems[2].contains("does not exist"))
        #expect(problems[1].contains("/a("))
        #expect(problems[3].contains("Answers/NoSuchFolder"))
    }

    @Test("A folder that cannot be listed is an error with the cause")
    func unreadableFolder() throws {
        var operations = FileOperations()
        operations.list = { path in
            errno = EIO
            throw SystemCallError("list", path)
        }
        FileOperations.$current.withValue(operations) { _ = stubber.stub(mocktails: folder.url.path) }
        #expect(text("GET", "https://h/a") == nil)
        let problem = try #require(stubber.end(testFailed: false).report.stubErrors.first)
        #expect(problem.cause.contains("cannot be listed: could not list \(folder.url.path)"))
        #expect(problem.cause.contains(String(cString: strerror(EIO))))
    }

    @Test("A folder without Mocktail files is an error")
    func emptyFolder() throws {
        stubber.stub(mocktails: folder.url.path)
        #expect(stubber.end(testFailed: false).report.stubErrors.first?.cause.contains(".tail") == true)
    }
}
