import Foundation
import Testing

@testable import Rewind

struct StubOrderTests {
    private let stubber = Stubber(stubsOnly: Stubber.Configuration(), testName: "Stubs.order")

    private func text(_ path: String = "/a", method: String = "GET") -> String? {
        let request = Interaction.Request(method: method, url: "https://h\(path)")
        guard case .play(let played, _) = stubber.answer(to: request) else { return nil }
        return played.interaction.response.map { String(decoding: $0.body.data, as: UTF8.self) }
    }

    private func reason(_ path: String = "/a") -> Miss.Reason? {
        guard case .refuse(let miss) = stubber.answer(to: Interaction.Request(url: "https://h\(path)")) else {
            return nil
        }
        return miss.reason
    }

    @Test("The stub added last answers, and the earlier one after its removal")
    func lastWins() {
        let first = stubber.stub(.path("/a"), respond: .text("first"))
        let second = stubber.stub(.host("h"), respond: .text("second"))
        #expect(text() == "second")
        second.remove()
        second.remove()
        #expect(text() == "first")
        first.remove()
        #expect(reason() == .noStub)
        #expect(first.callCount == 1 && second.callCount == 1)
    }

    @Test("All stubs can be removed, and new ones added")
    func removal() {
        for name in ["a", "b"] { stubber.stub(.path("/a"), named: name, respond: .text(name)) }
        stubber.removeStubs()
        #expect(reason() == .noStub)
        stubber.stub(.path("/a"), respond: .text("again"))
        #expect(text() == "again")
    }

    @Test("A sequence repeats its last answer, starts again or fails")
    func sequences() {
        let answers: [StubAnswer] = [.text("1"), .text("2")]
        stubber.stub(.path("/last"), respond: .sequence(answers, then: .last))
        stubber.stub(.path("/repeat"), respond: .sequence(answers, then: .repeat))
        let failing = stubber.stub(.path("/fail"), named: "twice", respond: .sequence(answers, then: .fail))
        #expect((0..<4).map { _ in text("/last") } == ["1", "2", "2", "2"])
        #expect((0..<4).map { _ in text("/repeat") } == ["1", "2", "1", "2"])
        #expect((0..<2).map { _ in text("/fail") } == ["1", "2"])
        #expect(reason("/fail") == .stubExhausted("\(failing)", calls: 2))
        #expect(failing.callCount == 3)
    }

    @Test("Concurrent calls of a stub are all counted")
    func concurrentCalls() {
        let stub = stubber.stub(.any) { _ in .status(204) }
        DispatchQueue.concurrentPerform(iterations: 500) { number in
            _ = stubber.answer(to: Interaction.Request(url: "https://h/\(number)"))
        }
        #expect(stub.callCount == 500)
        #expect(Set(stub.requests.map(\.url)).count == 500)
        #expect(stubber.requests.count == 500)
    }

    @Test("The description of a stub contains its name or condition and its line")
    func description() {
        let named = stubber.stub(
            .any,
            named: "users",
            fileID: "App/UserTests.swift",
            line: 12,
            respond: .status(204)
        )
        #expect("\(named)" == "“users” (UserTests.swift:12)")
        let nameless = stubber.stub(.host("h"), fileID: "App/UserTests.swift", line: 13, respond: .status(204))
        #expect("\(nameless)" == "\(nameless.condition) (UserTests.swift:13)")
        #expect(stubber.stubs.map(\.sourceLocation.line) == [12, 13])
    }

    @Test("A removed stub without calls is unused")
    func unused() throws {
        stubber.stub(.path("/a"), respond: .status(204))
        stubber.stub(.path("/b"), named: "b", respond: .status(204))
        _ = text("/a")
        #expect(try stubber.eject().unusedStubs.map(\.name) == ["b"])
    }

    @Test("An invalid stub names its line, and its requests fail with that error")
    func broken() throws {
        let missing = URL(fileURLWithPath: "/nowhere/users.json")
        let line = #line + 1
        stubber.stub(.path("/a"), respond: .file(missing))
        guard case .invalidStub(let text) = reason() else {
            Issue.record("the request was not refused for the stub")
            return
        }
        #expect(text.contains("/nowhere/users.json"))
        let problems = stubber.end(testFailed: false).report.stubErrors
        #expect(problems.map { Int($0.sourceLocation.line) } == [line])
        #expect("\(problems[0])".contains("StubOrderTests.swift:\(line)"))
    }

    @Test("The stubs of an ended test do not answer")
    func ended() throws {
        stubber.stub(.any, respond: .status(204))
        try stubber.eject()
        #expect(reason() == .testEnded)
    }

    @Test("A stub has the number and the requests of its own calls")
    func calls() {
        let users = stubber.stub(.path("/users/*"), respond: .status(204))
        let posts = stubber.stub(.path("/posts"), respond: .status(204))
        for path in ["/users/1", "/posts", "/users/2", "/other"] {
            _ = stubber.answer(to: Interaction.Request(url: "https://h\(path)"))
        }
        #expect(users.callCount == 2 && posts.callCount == 1)
        #expect(users.requests.map(\.url) == ["https://h/users/1", "https://h/users/2"])
        #expect(posts.requests.map(\.url) == ["https://h/posts"])
        users.remove()
        #expect(users.callCount == 2 && users.requests.count == 2, "a removed stub keeps them")
    }
}
