import Foundation
import Rewind
import Testing

struct StubProblemTests {
    @Test("A problem names its place, its cause and what mends it")
    func description() throws {
        let answer = StubAnswer.status(
            7,
            fileID: "AppTests/UserTests.swift",
            filePath: "/x/UserTests.swift",
            line: 12
        )
        let problem = try #require(answer.problem)
        #expect(
            "\(problem)" == """
                The stub at AppTests/UserTests.swift:12 cannot answer: 7 is no status code.
                  A status code has three digits: 100 to 999.
                """
        )
        #expect(problem.errorDescription == problem.description)
        #expect(problem.localizedDescription == problem.description)
        #expect("\(problem.place.filePath)" == "/x/UserTests.swift")
    }

    @Test("The place is where the stub was written, unless it is given")
    func place() throws {
        let line = #line + 2
        let answers: [StubAnswer] = [
            .status(1), .text("", status: 1), .file("none"), .json(text: "{"), .sequence([]),
        ]
        for answer in answers {
            let problem = try #require(answer.problem)
            #expect(problem.place.line == line)
            #expect("\(problem.place.fileID)".hasSuffix("/StubProblemTests.swift"))
            #expect("\(problem.place.filePath)" == "\(#filePath)")
        }
    }

    @Test("A fault names the line it stands on")
    func faultPlace() throws {
        let line = #line + 2
        let answer = StubAnswer.text("hello")
            .cut(afterBytes: -1)
        #expect(answer.problem?.place.line == UInt(line))
    }

    @Test("The first problem counts")
    func first() {
        let answer = StubAnswer.status(7).cut(afterBytes: -1).delayed(by: .seconds(-1))
        #expect(answer.problem?.cause == "7 is no status code")
    }

    @Test("Every problem is a sentence that goes on, and a mend that is whole")
    func form() {
        let answers: [StubAnswer] = [
            .status(7), .redirect(to: ""), .redirect(to: "/", status: 200), .json([.value(Double.nan)]),
            .json(text: "?"), .sequence([]), .file("none"), .file("/"), .file("/dev/null"),
            .text("").delayed(by: .seconds(-1)), .text("").throttled(to: .bytesPerSecond(0)),
            .text("").jitter(2, seed: 0), .text("").cut(afterBytes: -1), .curlDump("StubProblemTests.swift"),
        ]
        for problem in answers.map(\.problem) {
            let cause = problem?.cause ?? "."
            #expect(!cause.hasSuffix("."))
            #expect(problem?.mend.hasSuffix(".") == true)
        }
    }

    @Test("What is written rightly is no problem")
    func none() {
        let answers: [StubAnswer] = [
            .status(200), .text(""), .json([]), .passthrough, .timeout, .recorded, .failure(.badURL),
            .recorded.jitter(1, seed: 0).cut(afterBytes: 0).throttled(to: .bytesPerSecond(1)).malformed(
                seed: 0
            ),
        ]
        #expect(answers.allSatisfy { $0.problem == nil })
    }
}
