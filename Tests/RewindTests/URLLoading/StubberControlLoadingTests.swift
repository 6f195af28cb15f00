import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.serialized)
struct StubberControlLoadingTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func texts(
        in mode: RecordingMode,
        with configuration: Stubber.Configuration = Stubber.Configuration(),
        _ body: (Stubber) async throws -> [String]
    ) async throws -> [String] {
        try await withCassette("talk", in: folder.url, mode: mode, configuration: configuration) { stubber in
            try await body(stubber)
        }
    }

    @Test("Requests during a pause are live and are not recorded")
    func pauses() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        func visits(_ stubber: Stubber) async -> [String] {
            var texts: [String] = []
            stubber.pause()
            texts.append(await Outcome(of: server["visit"]).text)
            stubber.resume()
            texts.append(await Outcome(of: server["visit"]).text)
            stubber.pause()
            texts.append(await Outcome(of: server["visit"]).text)
            return texts
        }
        #expect(try await texts(in: .once, visits) == ["visit 1", "visit 2", "visit 3"])
        #expect(try Cassette(contentsOf: folder["talk.har"]).interactions.count == 1)
        #expect(try await texts(in: .once, visits) == ["visit 4", "visit 2", "visit 5"])
        #expect(server.requestCount == 5)
    }

    @Test("A cassette that is too old is re-recorded, or played if the server is unreachable")
    func renewal() async throws {
        let server = try ConversationServer()
        var configuration = Stubber.Configuration()
        configuration.maxAge = .days(30, .reRecord)
        func visits(_ stubber: Stubber) async -> [String] {
            [await Outcome(of: server["visit"]).text, await Outcome(of: server["visit"]).text]
        }
        #expect(try await texts(in: .once, with: configuration, visits) == ["visit 1", "visit 2"])
        try age()
        #expect(try await texts(in: .once, with: configuration, visits) == ["visit 3", "visit 4"])
        #expect(try await texts(in: .once, with: configuration, visits) == ["visit 3", "visit 4"])
        try age()
        let old = try Data(contentsOf: folder["talk.har"])
        server.stop()
        #expect(try await texts(in: .once, with: configuration, visits) == ["visit 3", "visit 4"])
        #expect(try Data(contentsOf: folder["talk.har"]) == old)
    }

    /// Backdates the cassette by a hundred days.
    private func age() throws {
        var cassette = try Cassette(contentsOf: folder["talk.har"])
        for index in cassette.interactions.indices {
            cassette.interactions[index].startedAt.addTimeInterval(-100 * 86_400)
        }
        try HARFormat.write(cassette).write(to: folder["talk.har"])
    }

    @Test("A test whose cassette is too old fails if configured")
    func tooOld() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        configuration.maxAge = .days(30, .fail)
        func visits(_ stubber: Stubber) async -> [String] { [await Outcome(of: server["visit"]).text] }
        #expect(try await texts(in: .once, with: configuration, visits) == ["visit 1"])
        try age()
        await #expect(throws: Stubber.ScopeError.self) {
            _ = try await texts(in: .once, with: configuration, visits)
        }
    }

    @Test("A passthrough closure sends its requests to the network")
    func passthrough() async throws {
        let server = try ConversationServer()
        defer { server.stop() }
        var configuration = Stubber.Configuration()
        configuration.passthrough = { $0.url.hasSuffix("live") }
        func visits(_ stubber: Stubber) async -> [String] {
            [await Outcome(of: server["visit"]).text, await Outcome(of: server["visit?live"]).text]
        }
        #expect(try await texts(in: .once, with: configuration, visits) == ["visit 1", "visit 2"])
        #expect(try await texts(in: .never, with: configuration, visits) == ["visit 1", "visit 3"])
        #expect(try Cassette(contentsOf: folder["talk.har"]).interactions.count == 1)
    }

    @Test("A request out of order fails with an error that names the next recorded request")
    func outOfOrder() async throws {
        let server = try ConversationServer()
        var configuration = Stubber.Configuration()
        configuration.order = .sequential
        _ = try await texts(in: .once, with: configuration) { _ in
            [await Outcome(of: server["json"]).text, await Outcome(of: server["visit"]).text]
        }
        server.stop()
        try await withCassette("talk", in: folder.url, mode: .never, configuration: configuration) { stubber in
            do {
                _ = try await URLSession.shared.data(from: server["visit"])
                Issue.record("it was answered")
            } catch {
                #expect((error as NSError).code == 9)
                #expect(error.localizedDescription.contains("next:     GET \(server["json"].absoluteString)"))
            }
            #expect(stubber.takeMisses().count == 1)
            #expect(await Outcome(of: server["json"]).status == 200)
            #expect(await Outcome(of: server["visit"]).text == "visit 1")
        }
    }

    @Test("A test can eject one cassette and insert another")
    func insert() async throws {
        let server = try ConversationServer()
        func visits(_ stubber: Stubber) async throws -> [String] {
            let first = await Outcome(of: server["visit"]).text
            try stubber.insert("second", mode: stubber.isRecording ? RecordingMode.once : .never)
            return [first, await Outcome(of: server["visit"]).text]
        }
        #expect(try await texts(in: .once, visits) == ["visit 1", "visit 2"])
        server.stop()
        #expect(try await texts(in: .never, visits) == ["visit 1", "visit 2"])
        #expect(folder.files.sorted() == ["second.har", "talk.har"])
        #expect(try Cassette(contentsOf: folder["second.har"]).interactions.map(\.text) == ["visit 2"])
    }

    @Test("Equivalent bodies match")
    func bodies() async throws {
        let server = try ConversationServer()
        func post(_ body: String, type: String) async -> Outcome {
            var request = URLRequest(url: server["echo"])
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            return await Outcome(of: request)
        }
        func multipart(_ boundary: String) -> String {
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--\(boundary)--\r\n"
        }
        let spellings: [(type: (Int) -> String, body: (Int) -> String)] = [
            (
                { _ in "application/json" },
                { [#"{"a":1,"b":[true]}"#, "{ \"b\" : [ true ], \"a\" : 1.0 }"][$0] }
            ),
            ({ _ in "application/x-www-form-urlencoded" }, { ["a=1&b=x+y", "b=x%20y&a=1"][$0] }),
            ({ "multipart/form-data; boundary=b\($0)" }, { multipart("b\($0)") }),
        ]
        for (number, spelling) in spellings.enumerated() {
            try await withCassette("body-\(number)", in: folder.url, mode: .once) { _ in
                #expect(await post(spelling.body(0), type: spelling.type(0)).text == spelling.body(0))
            }
            try await withCassette("body-\(number)", in: folder.url, mode: .never) { stubber in
                #expect(await post(spelling.body(1), type: spelling.type(1)).text == spelling.body(0))
                let other = spelling.body(1).replacing("\"a\"", with: "\"z\"").replacing("a=1", with: "z=1")
                #expect(await post(other, type: spelling.type(1)).failure == "Rewind 2")
                #expect(stubber.takeMisses().count == 1)
            }
        }
        server.stop()
    }
}
