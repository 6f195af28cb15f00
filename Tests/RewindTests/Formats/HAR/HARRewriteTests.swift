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

    /// The first entry, read and written again with a change.
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

    @Test("Entries that nobody touched are written as they were, to the byte")
    func untouchedEntries() throws {
        #expect(try entries(HARFormat.write(cassette)) == entries(HARSamples.foreign))
    }

    @Test("What was rewritten once is written again as it is, to the byte")
    func settled() throws {
        let once = HARFormat.write(cassette)
        #expect(try HARFormat.write(HARFormat.read(once)) == once)
    }

    @Test("The members of the log survive, their numbers spelled as they were")
    func log() throws {
        let before = try #require(try document(HARSamples.foreign)["log"])
        let after = try #require(try document(HARFormat.write(cassette))["log"])
        for name in ["version", "creator", "browser", "pages", "comment", "_extension"] {
            #expect(after[name] == before[name], "\(name)")
        }
        #expect(after["entries"] == before["entries"])
    }

    @Test("Members beside the log survive")
    func besideLog() throws {
        let text = #"{ "_tool": { "run": 7 }, "log": { "version": "1.2", "entries": [] }, "comment": "c" }"#
        let after = try document(HARFormat.write(HARFormat.read(Data(text.utf8))))
        #expect(after["_tool"] == ["run": 7])
        #expect(after["comment"] == "c")
    }

    /// The places of members that Rewind gives no meaning to, within objects.
    static let extras = [
        ["_initiator"], ["_priority"], ["pageref"], ["serverIPAddress"], ["connection"], ["comment"],
        ["request", "_requestNumber"], ["request", "postData", "comment"], ["response", "_transferSize"],
        ["response", "comment"], ["response", "content", "compression"], ["response", "content", "_cached"],
        ["cache", "beforeRequest"], ["cache", "comment"], ["timings", "blocked"], ["timings", "dns"],
        ["timings", "_queued"], ["_rewind", "note"],
    ]

    /// The places of what other tools write into arrays.
    static let extrasOfArrays = [["request", "headers"], ["request", "cookies"], ["response", "cookies"]]

    private func value(at path: [String], of json: JSON?) -> JSON? {
        path.reduce(json) { $0?[$1] }
    }

    @Test(
        "A changed interaction keeps the members of its objects that mean nothing to Rewind",
        arguments: extras
    )
    func extra(_ path: [String]) throws {
        let before = try document(HARSamples.foreign)["log"]?["entries"]?[0]
        let after = try changed { $0.request.url += "&more=1" }.entry
        #expect(value(at: path, of: after) == value(at: path, of: before))
        #expect(value(at: path, of: after) != nil)
    }

    @Test(
        "A changed interaction keeps what stands in arrays that the change is not about",
        arguments: extrasOfArrays
    )
    func extraOfArray(_ path: [String]) throws {
        let before = try document(HARSamples.foreign)["log"]?["entries"]?[0]
        let after = try changed { $0.timing.wait = 31 }.entry
        #expect(value(at: path, of: after) == value(at: path, of: before))
    }

    @Test("A header field that is removed leaves the comments of the others")
    func commentOfHeader() throws {
        let headers = try changed { $0.request.headers["Cookie"] = nil }.entry["request"]?["headers"]
        #expect(headers?.arrayValue?.count == 2)
        #expect(headers?[1] == ["name": "Content-Type", "value": "text/plain", "comment": "of a header"])
    }

    @Test("A body that stood in base64 although it is text is the same after another part is changed")
    func encodingOfResponse() throws {
        let interaction = try changed { $0.request.url += "&more=1" }.interaction
        #expect(interaction.response?.body == Interaction.Body("alert(1)"))
    }

    @Test("A body that stood in base64 can be replaced by text")
    func encodingOfNewBody() throws {
        let body = Interaction.Body("a new body, in words")
        let outcome = Interaction.Outcome.response(Interaction.Response(body: body))
        let interaction = try changed { $0.outcome = outcome }.interaction
        #expect(interaction.response?.body == body)
    }

    @Test("A body that stood as text can be replaced by bytes, and by none")
    func newRequestBody() throws {
        let binary = Interaction.Body(Data([0, 0xFF]))
        #expect(try changed { $0.request.body = binary }.interaction.request.body == binary)
        #expect(try changed { $0.request.body = nil }.interaction.request.body == nil)
    }

    @Test(
        "A request body in base64 is the same after another part is changed",
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

    @Test("The parameters of a form that was replaced are gone with it")
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
        "What was null before does not stand in the way of what is there now",
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

    @Test("An interaction whose start is not told has none after another part is changed")
    func noStart() throws {
        var cassette = try HARFormat.read(HARSamples.archive([HARSamples.entry()]))
        cassette.interactions[0].request.method = "PUT"
        let read = try HARFormat.read(HARFormat.write(cassette))
        #expect(read.interactions == cassette.interactions)
    }

    @Test("A response that cannot be played is still there after its request is changed")
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

    @Test("An interaction that is changed and changed back is written as it was")
    func changedBack() throws {
        var cassette = cassette
        cassette.interactions[0].request.method = "PUT"
        cassette.interactions[0].request.method = "POST"
        #expect(HARFormat.write(cassette) == HARFormat.write(self.cassette))
    }

    @Test("A failure that becomes a response leaves no trace of itself, but what else stood there")
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

    @Test("Random changes to random interactions come back", arguments: 0..<100 as Range<UInt64>)
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

    @Test("Random changes to a browser's archive come back", arguments: 0..<50 as Range<UInt64>)
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
