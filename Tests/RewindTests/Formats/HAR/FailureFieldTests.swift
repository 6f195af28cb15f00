import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The member `_rewind.failure`, as the article on the format describes it.
@Suite(.serialized)
struct FailureFieldTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func error(of url: URL, _ mode: RecordingMode) async throws -> NSError? {
        try await recordingFailures(in: folder.url, mode: mode) { _ in
            do {
                _ = try await URLSession.shared.data(from: url)
                return nil
            } catch { return error as NSError }
        }
    }

    @Test("A recorded failure has the domain, code and message of the error, and does not repeat the URL")
    func recorded() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/path-of-the-request"))
        let live = try #require(try await error(of: url, .once))
        let document = try JSON(parsing: Data(contentsOf: folder["talk.har"]))
        let failure = try #require(document["log"]?["entries"]?[0]?["_rewind"]?["failure"])
        #expect(failure["domain"]?.stringValue == live.domain)
        #expect(failure["code"]?.integerValue == live.code)
        #expect(failure["message"]?.stringValue == live.localizedDescription)
        #expect(failure["userInfo"]?["NSErrorFailingURLKey"] == ["requestURL": "url"])
        #expect(failure["userInfo"]?["NSErrorFailingURLStringKey"] == ["requestURL": "text"])
        let text = try String(contentsOf: folder["talk.har"], encoding: .utf8)
        #expect(text.components(separatedBy: "path-of-the-request").count == 2)
        let replayed = try #require(try await error(of: url, .never))
        #expect(replayed.userInfo["NSErrorFailingURLKey"] as? URL == url)
        #expect(replayed.userInfo["NSErrorFailingURLStringKey"] as? String == url.absoluteString)
    }

    @Test("Each kind of value in the user info reaches the app")
    func values() async throws {
        let info = #"""
            {"text": "a", "number": 1.5, "flag": true, "list": ["b", 2], "other": {"url": "https://other.example/"},
             "own": {"requestURL": "url"}, "ownText": {"requestURL": "text"},
             "cause": {"error": {"domain": "D", "code": 7, "message": "m", "userInfo": {"deep": "c"}}}}
            """#
        let entry = #"""
            {"request": {"method": "GET", "url": "https://h.example/a", "headers": []},
             "response": {"status": 0, "headers": [], "content": {"size": 0, "text": ""}},
             "_rewind": {"failure": {"domain": "MyDomain", "code": -3, "message": "it failed", "userInfo": \#(info)}}}
            """#
        try Data(#"{"log": {"version": "1.2", "entries": [\#(entry)]}}"#.utf8).write(to: folder["talk.har"])
        let url = try #require(URL(string: "https://h.example/a"))
        let error = try #require(try await error(of: url, .never))
        #expect(error.domain == "MyDomain" && error.code == -3)
        #expect(error.userInfo["text"] as? String == "a")
        #expect(error.userInfo["number"] as? Double == 1.5)
        #expect(error.userInfo["flag"] as? Bool == true)
        #expect((error.userInfo["list"] as? [Any])?.count == 2)
        #expect(error.userInfo["other"] as? URL == URL(string: "https://other.example/"))
        #expect(error.userInfo["own"] as? URL == url)
        #expect(error.userInfo["ownText"] as? String == url.absoluteString)
        let cause = error.userInfo["cause"] as? NSError
        #expect(cause?.domain == "D" && cause?.code == 7)
        #expect(cause?.userInfo["deep"] as? String == "c")
    }

    @Test("A failure after the body was sent says so")
    func sent() throws {
        var failure = Interaction.Failure(code: -1005)
        for (wasSent, expected) in [(true, JSON.bool(true)), (false, nil)] as [(Bool, JSON?)] {
            failure.bodyWasSent = wasSent
            var interaction = Interaction.page("https://h/a")
            interaction.outcome = .failure(failure, after: nil)
            let data = HARFormat.write(Cassette(interactions: [interaction]))
            let field = try JSON(parsing: data)["log"]?["entries"]?[0]?["_rewind"]?["failure"]
            #expect(field?["sent"] == expected)
            #expect(try HARFormat.read(data).interactions.first?.failure?.bodyWasSent == wasSent)
        }
    }
}
