import Foundation
import Rewind
import Testing

struct OutcomeDriftTests {
    private func lines(_ recorded: Interaction.Outcome, _ live: Interaction.Outcome) -> [String] {
        Drift.between(recorded, live).map(\.description)
    }

    @Test("Another status is drift, and with another first digit the only drift")
    func status() {
        #expect(lines(.json(#"{"a": 1}"#), .json(#"{"b": 1}"#, status: 404)) == ["status: 200 → 404"])
        #expect(lines(.json("{}"), .answer("", nil, status: 302)) == ["status: 200 → 302"])
        #expect(
            lines(.json(#"{"a": 1}"#), .json(#"{"a": "1"}"#, status: 201))
                == ["status: 200 → 201", "$.a: number → string"]
        )
    }

    @Test("304 instead of 200 is not drift")
    func notModified() {
        #expect(lines(.json("{}"), .answer("", nil, status: 304)) == [])
        #expect(lines(.answer("", nil, status: 304), .json("{}")) == [])
        #expect(lines(.answer("", nil, status: 304), .json("{}", status: 404)) == ["status: 304 → 404"])
    }

    @Test("Another media type is drift; other parameters or letter case are not")
    func mediaType() {
        let recorded = Interaction.Outcome.answer("{}", "application/json; charset=utf-8")
        #expect(lines(recorded, .answer("{}", "Application/JSON")) == [])
        #expect(
            lines(recorded, .answer("{}", "application/vnd.api+json"))
                == ["content type: application/json → application/vnd.api+json"]
        )
        #expect(lines(recorded, .answer("{}", nil)) == ["content type: application/json → none"])
        #expect(
            lines(.response(Interaction.Response(body: Interaction.Body("{}"))), recorded) == [],
            "no fields were recorded at all"
        )
    }

    @Test("Another kind of body is drift, even with the same media type")
    func kinds() {
        let json = Interaction.Outcome.json("{}")
        #expect(lines(json, .answer("", "application/json")) == ["body: JSON → no body"])
        #expect(lines(.answer("", nil), json) == ["body: no body → JSON"])
        #expect(
            lines(json, .answer("<!DOCTYPE html><p>Log in", "text/html"))
                == ["content type: application/json → text/html", "body: JSON → HTML"]
        )
        #expect(lines(json, .json(" \n<HTML>")) == ["body: JSON → HTML"])
        #expect(lines(json, .json("{broken")) == ["body: JSON → other data"])
        #expect(lines(json, .json("<?xml version='1.0'?><a/>")) == ["body: JSON → XML"])
        #expect(
            lines(.answer(#"{"a": 1}"#, "text/plain"), .answer(#"[1]"#, "text/plain")) == ["$: object → array"]
        )
    }

    @Test("Bodies that are not JSON are compared only by kind")
    func others() {
        #expect(lines(.answer("visit 1", "text/plain"), .answer("visit 2, and more", "text/plain")) == [])
        #expect(lines(.answer("<a/>", "image/svg+xml"), .answer("<b/>", "image/svg+xml")) == [])
        #expect(lines(.answer("a\u{0}b", "image/png"), .answer("text", "image/png")) == [])
    }

    @Test("A failure instead of a response is drift, and so is another failure")
    func failures() {
        let refused = Interaction.Outcome.failure(Interaction.Failure(code: -1004, message: "x"), after: nil)
        let timedOut = Interaction.Outcome.failure(Interaction.Failure(code: -1001), after: nil)
        #expect(lines(refused, .failure(Interaction.Failure(code: -1004, message: "y"), after: nil)) == [])
        #expect(
            lines(refused, timedOut)
                == ["outcome: failure NSURLErrorDomain -1004 → failure NSURLErrorDomain -1001"]
        )
        #expect(lines(.json("{}"), refused) == ["outcome: status 200 → failure NSURLErrorDomain -1004"])
        #expect(lines(timedOut, .json("{}")) == ["outcome: failure NSURLErrorDomain -1001 → status 200"])
        #expect(lines(.unknown(reason: "lost"), .json("{}")) == [])
    }

    @Test("The drift report lists each request with its changes and shortens long lists")
    func report() {
        let members = (0..<30).map { "\"m\($0)\": 1" }.joined(separator: ", ")
        let report = DriftReport(
            cassettePath: "Cassettes/a.har",
            entries: [
                .init(
                    number: 3,
                    request: Interaction.Request(url: "https://a.example/x"),
                    drifts: Drift.between(.json("{\(members)}"), .json("{}"))
                ),
                .init(number: nil, request: Interaction.Request(url: "https://a.example/y"), drifts: []),
            ]
        )
        let lines = report.description.split(separator: "\n")
        #expect(lines.first == "The live API differs from the cassette Cassettes/a.har:")
        #expect(
            lines.dropFirst().prefix(2) == ["  #3 GET https://a.example/x", "      $.m0: removed (number)"]
        )
        #expect(lines.contains("      and 6 more"))
        #expect(lines.last == "  GET https://a.example/y")
    }
}
