import Foundation
import Testing

@testable import Rewind

struct StubErrorTests {
    private let stubber = Stubber(stubsOnly: Stubber.Configuration())

    private func errors() -> [StubError] { stubber.end(testFailed: false).report.stubErrors }

    @Test("An error names the line of the stub, the cause and the fix")
    func description() throws {
        stubber.stub(
            .any,
            fileID: "AppTests/UserTests.swift",
            filePath: "/x/UserTests.swift",
            line: 12,
            respond: .status(7)
        )
        let error = try #require(errors().first)
        #expect(
            "\(error)" == """
                The stub at AppTests/UserTests.swift:12 cannot answer: the status code 7 is invalid.
                  Use a status code from 100 to 999.
                """
        )
        #expect(error.description == "\(error.localizedDescription)\n  \(error.recoverySuggestion ?? "")")
        #expect(error.sourceLocation.filePath == "/x/UserTests.swift")
    }

    @Test("The location is the line that declares the stub")
    func location() throws {
        let line = #line + 1
        stubber.stub(.path("/a"), respond: .sequence([.text("hello").cut(afterBytes: -1)]))
        let location = try #require(errors().first).sourceLocation
        #expect(location.line == line)
        #expect(location.fileID.hasSuffix("/StubErrorTests.swift"))
        #expect(location.filePath == "\(#filePath)")
    }

    @Test("An invalid answer from a closure is an error at the line of its stub")
    func computed() async throws {
        let line = #line + 1
        stubber.stub(.path("/a")) { _ in .file("none.json") }
        let answer = stubber.answer(to: Interaction.Request(url: "https://h/a"))
        guard case .compute(let compute) = answer, case .refuse(let miss) = await compute() else {
            Issue.record("\(answer)")
            return
        }
        let text = miss.description.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("StubErrorTests.swift:\(line)"))
        #expect(text.contains("/Answers/none.json does not exist"))
    }

    @Test("Only the first problem of an answer is reported")
    func first() {
        let answer = StubAnswer.status(7).cut(afterBytes: -1).delayed(by: .seconds(-1))
        #expect(answer.problem?.cause == "the status code 7 is invalid")
    }

    @Test("A cause has no full stop, and a suggestion is a sentence")
    func form() {
        let answers: [StubAnswer] = [
            .status(7), .redirect(to: ""), .redirect(to: "/", status: 200), .json([.value(Double.nan)]),
            .json(text: "?"), .sequence([]), .file("none"), .file("/"), .file("/dev/null"),
            .text("").delayed(by: .seconds(-1)), .text("").throttled(to: .bytesPerSecond(0)),
            .text("").jittered(by: 2, seed: 0), .text("").cut(afterBytes: -1),
            .curlDump("StubErrorTests.swift"),
        ]
        for problem in answers.map({ $0.readingFiles(from: #filePath).problem }) {
            let cause = problem?.cause ?? "."
            #expect(!cause.hasSuffix("."))
            #expect(problem?.recoverySuggestion.hasSuffix(".") == true)
        }
    }

    @Test("Valid answers have no problem")
    func none() {
        let answers: [StubAnswer] = [
            .status(200), .text(""), .json([]), .passthrough, .timeout, .recorded, .failure(.badURL),
            .recorded.jittered(by: 1, seed: 0).cut(afterBytes: 0).throttled(to: .bytesPerSecond(1)).malformed(
                seed: 0
            ),
        ]
        #expect(answers.allSatisfy { $0.problem == nil })
    }
}
