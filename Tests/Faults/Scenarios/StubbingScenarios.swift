import Foundation
import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Scenario {
    /// Answers that are written by hand.
    static let stubbing: [Scenario] = [
        Scenario(name: "stub") { stage in
            try await withStubs(configuration: stage.configuration) { stubber in
                stubber.stub(.path("/json"), respond: .json(["id": 1, "name": "ada"]))
                stubber.stub(.path("/coded"), respond: .json([1, 2], encoder: JSONEncoder()))
                stubber.stub(.path("/text"), respond: .json(text: #"{"a": [1, true, null, "\\u0041"]}"#))
                stubber.stub(
                    .path("/sequence"),
                    respond: .sequence([.text("1"), .redirect(to: "/json")], then: .repeat)
                )
                stubber.stub(.path(matching: "^/ma.*$"), respond: .chunks(["a", "b"].map { .init($0) }))
                stubber.stub(.path("/code")) { request in .text("call \(request.callNumber)") }
                stubber.stub(.path("/body") && .body(json: #"{"a": 1}"#), respond: .status(201))
                stubber.stub(.path("/coded/body") && .body(json: [1]), respond: .status(202))
                stubber.stub(.path("/query") && .graphQL(operation: "A"), respond: .status(203))
                stubber.stub(.path("/late"), respond: .text("late").delayed(by: .milliseconds(5)))
                for path in ["/json", "/coded", "/text", "/sequence", "/sequence", "/match", "/code", "/late"] {
                    try await stage.get(path)
                }
                let type = "application/json"
                try await stage.send(stage.request("/body", "POST", body: #"{"a":1.0}"#, type: type))
                try await stage.send(stage.request("/coded/body", "POST", body: "[1]", type: type))
                try await stage.send(
                    stage.request("/query", "POST", body: #"{"query": "query A { a }"}"#, type: type)
                )
                try await stubber.waitForRequests(.path("/json"), count: 1, within: .seconds(20))
            }
        },
        Scenario(name: "stub-files", prepare: { try $0.putStubFiles() }) { stage in
            try await withStubs(configuration: stage.configuration) { stubber in
                stubber.stub(.path("/file"), respond: .file(stage.folder["page.json"]))
                stubber.stub(.path("/dump"), respond: .curlDump(stage.folder["dump.txt"]))
                stubber.stub(.path("/mocktail"), respond: .mocktail(stage.folder["tails/one.tail"]))
                stubber.stub(mocktails: stage.folder["tails"])
                for path in ["/file", "/dump", "/mocktail", "/one", "/two"] { try await stage.get(path) }
            }
        },
        Scenario(name: "stub-over-cassette", prepare: { try await $0.record(["json"]) }) { stage in
            try await withCassette(
                "talk",
                in: stage.folder.url,
                mode: .none,
                configuration: stage.configuration
            ) {
                stubber in
                stubber.stub(.path("/json"), respond: .recorded { $0.status = 201 })
                stubber.stub(.path("/empty"), respond: .passthrough)
                try await stage.get("/json")
                try await stage.get("/empty")
            }
        },
        Scenario(name: "stub-on-clock") { stage in
            let clock = TestClock(advancesItself: true)
            var configuration = stage.configuration
            configuration.clock = clock
            try await withStubs(configuration: configuration) { stubber in
                stubber.stub(.any, respond: .chunks([Data("a".utf8), Data("b".utf8)], every: .seconds(5)))
                try await stage.get("/slow")
            }
        },
        Scenario(name: "stub-with-failure") { stage in
            try await withStubs(configuration: stage.configuration) { stubber in
                stubber.stub(.path("/gone"), respond: .failure(.notConnectedToInternet))
                stubber.stub(.path("/code")) { _ in throw AnswerFailure(text: "from code") }
                for path in ["/gone", "/code"] {
                    do { try await stage.get(path) } catch { stage.tell(error) }
                }
            }
        },
    ]
}

extension Stage {
    fileprivate func putStubFiles() throws {
        let tails = folder["tails"]
        try FileManager.default.createDirectory(at: tails, withIntermediateDirectories: true)
        try Data(#"{"a": 1}"#.utf8).write(to: folder["page.json"])
        try Data("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\ndump".utf8).write(to: folder["dump.txt"])
        for name in ["one", "two"] {
            try Data("GET\n/\(name)\n200\ntext/plain\n\n\(name)".utf8)
                .write(to: tails.appendingPathComponent("\(name).tail"))
        }
    }
}
