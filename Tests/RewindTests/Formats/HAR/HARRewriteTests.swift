import Foundation
import Testing

@testable import Rewind

struct HARRewriteTests {
    private static let started = #""startedDateTime": "2024-05-06T07:08:09.250Z""#
    private let cassette: Cassette

    init() throws {
        cassette = try HARFormat.read(HARSamples.foreign)
    }

    private func entries(_ data: Data) throws -> [Data] {
        try JSONEntries.ranges(in: data, at: ["log", "entries"]).map { Data(data[$0]) }
    }

    private func document(_ data: Data) throws -> JSON {
        try JSON(parsing: data)
    }

    /// The first entry after it was read, changed and written.
    private func changed(_ change: (inout Interaction) -> Void) throws -> (
        entry: JSON, interaction: Interaction
    ) {
        var cassette = cassette
        change(&cassette.interactions[0])
        let data = HARFormat.write(cassette)
        let read = try HARFormat.read(data)
        #expect(try entries(data).last == entries(HARSamples.foreign).last, "the other entry is as it was")
        return (try #require(try document(data)["log"]?["entries"]?[0]), read.interactions[0])
    }

    @Test("Unchanged entries are rewritten byte for byte")
    func untouchedEntries() throws {
        #expect(try entries(HARFormat.write(cassette)) == entries(HARSamples.foreign))
    }

    @Test("Rewriting twice results in the same bytes")
    func settled() throws {
        let once = HARFormat.write(cassette)
        #expect(try HARFormat.write(HARFormat.read(once)) == once)
    }

    @Test("Members of the log survive, with the spelling of their numbers")
    func log() throws {
        let before = try #require(try document(HARSamples.foreign)["log"])
        let after = try #require(try document(HARFormat.write(cassette))["log"])
        for name in ["version", "creator", "browser", "pages", "comment", "_extension"] {
            #expect(after[name] == before[name], "\(name)")
        }
        #expect(after["entries"] == before["entries"])
    }

    @Test("Members outside the log survive")
    func besideLog() throws {
        let text = #"{ "_tool": { "run": 7 }, "log": { "version": "1.2", "entries": [] }, "comment": "c" }"#
        let after = try document(HARFormat.write(HARFormat.read(Data(text.utf8))))
        #expect(after["_tool"] == ["run": 7])
        #expect(after["comment"] == "c")
    }

    /// The places of members in objects that Rewind does not know.
    static let extras = [
        ["_initiator"], ["_priority"], ["pageref"], ["serverIPAddress"], ["connection"], ["comment"],
        ["request", "_requestNumber"], ["request", "postData", "comment"], ["response", "_transferSize"],
        ["response", "comment"], ["response", "content", "compression"], ["response", "content", "_cached"],
        ["cache", "beforeRequest"], ["cache", "comment"], ["timings", "blocked"], ["timings", "dns"],
        ["timings", "_queued"], ["_rewind", "note"],
    ]

    /// The places of array elements that other tools add.
    static let extrasOfArrays = [["request", "headers"], ["request", "cookies"], ["response", "cookies"]]

    private func value(at path: [String], of json: JSON?) -> JSON? {
        path.reduce(json) { $0?[$1] }
    }

    @Test(
        "A changed interaction preserves unknown members of its objects",
        arguments: extras
    )
    func extra(_ path: [String]) throws {
        let before = try document(HARSamples.foreign)["log"]?["entries"]?[0]
        let after = try changed { $0.request.url += "&more=1" }.entry
        #expect(value(at: path, of: after) == value(at: path, of: before))
        #expect(value(at: path, of: after) != nil)
    }

    @Test(
        "A changed interaction preserves arrays that the change does not affect",
        arguments: extrasOfArrays
    )
    func extraOfArray(_ path: [String]) throws {
        let before = try document(HARSamples.foreign)["log"]?["entries"]?[0]
        let after = try changed { $0.timing.wait = 31 }.entry
        #expect(value(at: path, of: after) == value(at: path, of: before))
    }

    @Test("Removing a header field preserves the comments of other fields")
    func commentOfHeader() throws {
        let headers = try changed { $0.request.headers["Cookie"] = nil }.entry["request"]?["headers"]
        #expect(headers?.arrayValue?.count == 2)
        #expect(headers?[1] == ["name": "Content-Type", "value": "text/plain", "comment": "of a header"])
    }

    @Test("A text body in base64 stays base64 if another part changes")
    func encodingOfResponse() throws {
        let interaction = try changed { $0.request.url += "&more=1" }.interaction
        #expect(interaction.response?.body == Interaction.Body("alert(1)"))
    }

    @Test("A base64 body can be replaced with text")
    func encodingOfNewBody() throws {
        let body = Interaction.Body("a new body, in words")
        let outcome = Interaction.Outcome.response(Interaction.Response(body: body))
        let interaction = try changed { $0.outcome = outcome }.interaction
        #expect(interaction.response?.body == body)
    }

    @Test("A text body can be replaced with bytes or removed")
    func newRequestBody() throws {
        let binary = Interaction.Body(Data([0, 0xFF]))
        #expect(try changed { $0.request.body = binary }.interaction.request.body == binary)
        #expect(try changed { $0.request.body = nil }.interaction.request.body == nil)
    }

    @Test(
        "A request body in base64 is preserved if another part changes",
        arguments: ["_encoding", "encoding"]
    )
    func encodingOfRequest(_ name: String) throws {
        let request = """
            { "method": "POST", "url": "https://example.com/",
              "postData": { "mimeType": "text/plain", "text": "aGVsbG8=", "\(name)": "base64" } }
            """
        var cassette = try HARFormat.read(
            HARSamples.archive([HARSamples.entry(request: request, members: Self.started)])
        )
        cassette.interactions[0].request.method = "PUT"
        let read = try HARFormat.read(HARFormat.write(cassette))
        #expect(read.interactions.map(\.request.body) == [Interaction.Body("hello")])
        #expect(read.interactions == cassette.interactions)
    }

    @Test("The parameters of a replaced form are removed")
    func staleParameters() throws {
        let request = """
            { "method": "POST", "url": "https://example.com/",
              "postData": { "mimeType": "", "params": [{ "name": "password", "value": "secret" }] } }
            """
        var cassette = try HARFormat.read(HARSamples.archive([HARSamples.entry(request: request)]))
        cassette.interactions[0].request.body = Interaction.Body("password=hidden")
        let text = String(decoding: HARFormat.write(cassette), as: UTF8.self)
        #expect(text.contains("password=hidden"))
        #expect(!text.contains("secret"))
    }

    @Test(
        "A null member can be replaced with a value",
        arguments: ["null", #"{ "mimeType": "", "text": null }"#]
    )
    func null(_ postData: String) throws {
        let request = #"{ "method": "GET", "url": "https://example.com/", "postData": \#(postData) }"#
        let members = #""_rewind": { "failure": null, "chunks": null }, \#(Self.started)"#
        let entry = HARSamples.entry(request: request, members: members)
        var cassette = try HARFormat.read(HARSamples.archive([entry]))
        cassette.interactions[0].request.body = Interaction.Body("now")
        cassette.interactions[0].outcome = .failure(Interaction.Failure(code: -1001), after: nil)
        let read = try HARFormat.read(HARFormat.write(cassette))
        #expect(read.interactions == cassette.interactions)
    }

    @Test("A missing start date stays missing if another part changes")
    func noStart() throws {
        var cassette = try HARFormat.read(HARSamples.archive([HARSamples.entry()]))
        cassette.interactions[0].request.method = "PUT"
        let read = try HARFormat.read(HARFormat.write(cassette))
        #expect(read.interactions == cassette.interactions)
    }

    @Test("A response that cannot be replayed survives a change of its request")
    func unplayable() throws {
        var cassette = cassette
        cassette.interactions[1].request.url += "?part=2"
        let data = HARFormat.write(cassette)
        #expect(try HARFormat.read(data).interactions == cassette.interactions)
        let before = try document(HARSamples.foreign)["log"]?["entries"]?[1]?["response"]
        let after = try document(data)["log"]?["entries"]?[1]?["response"]
        for name in ["status", "headers", "_error"] { #expect(after?[name] == before?[name], "\(name)") }
        #expect(after?["content"]?["size"] == before?["content"]?["size"])
    }

    @Test("An interaction that is changed and changed back is rewritten byte for byte")
    func changedBack() throws {
        var cassette = cassette
        cassette.interactions[0].request.method = "PUT"
        cassette.interactions[0].request.method = "POST"
        #expect(HARFormat.write(cassette) == HARFormat.write(self.cassette))
    }

    @Test("Replacing a failure with a response removes only the failure")
    func failureToResponse() throws {
        let members = #""_rewind": { "failure": { "code": -1, "_more": 1 }, "note": "n" }, \#(Self.started)"#
        let entry = HARSamples.entry(response: #"{ "status": 0, "_error": "e" }"#, members: members)
        var cassette = try HARFormat.read(HARSamples.archive([entry]))
        cassette.interactions[0].outcome = .response(Interaction.Response(body: Interaction.Body("hello")))
        let data = HARFormat.write(cassette)
        #expect(try HARFormat.read(data).interactions == cassette.interactions)
        let after = try document(data)["log"]?["entries"]?[0]
        #expect(after?["_rewind"]?["note"] == "n")
        #expect(after?["response"]?["_error"] == "e")
    }

    @Test("Random changes to random interactions survive", arguments: 0..<100 as Range<UInt64>)
    func randomChanges(seed: UInt64) throws {
        var source = RandomSource(seed: seed)
        let recorded = (0..<3).map { _ in source.interaction() }
        var cassette = try HARFormat.read(HARFormat.write(Cassette(interactions: recorded)))
        for index in cassette.interactions.indices {
            let other = source.interaction()
            switch source.below(5) {
            case 0: cassette.interactions[index].request = other.request
            case 1: cassette.interactions[index].outcome = other.outcome
            case 2: cassette.interactions[index].timing = other.timing
            case 3: cassette.interactions[index].request.body = other.request.body
            default: break
            }
        }
        let read = try HARFormat.read(HARFormat.write(cassette))
        #expect(read.interactions == cassette.interactions)
    }

    @Test("Random changes to a browser's archive survive", arguments: 0..<50 as Range<UInt64>)
    func randomForeignChanges(seed: UInt64) throws {
        var source = RandomSource(seed: seed)
        let other = source.interaction()
        var expected: Interaction?
        let read = try changed { interaction in
            if source.below(2) == 0 { interaction.request = other.request }
            if source.below(2) == 0 { interaction.outcome = other.outcome }
            interaction.startedAt = other.startedAt
            expected = interaction
        }.interaction
        #expect(read == expected)
    }
}
