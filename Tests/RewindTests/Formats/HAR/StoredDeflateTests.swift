import Foundation
import Testing

@testable import Rewind

/// Bodies of other tools in base64, under the content coding `deflate`, which has no signature.
struct StoredDeflateTests {
    /// A text as DEFLATE, and as zlib.
    private static let raw = "cy1LLapUyE3NTUotUshILFZIVEjOSE3OLi7N1VNwpY0kAA=="
    private static let zlib = "eNpzLUstqlTITc1NSi1SyEgsVkhUSM5ITc4uLs3VU3CljSQAchEpBQ=="

    private func interaction(_ base64: String, coding: String) throws -> Interaction {
        let text = """
            {"log": {"version": "1.2", "creator": {"name": "proxy", "version": "1"}, "entries": [{
              "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 1,
              "request": {"method": "GET", "url": "https://h/a", "headers": []},
              "response": {"status": 200, "headers": [{"name": "Content-Encoding", "value": "\(coding)"}],
                "content": {"size": 1, "encoding": "base64", "text": "\(base64)"}}}]}}
            """
        return try HARFormat.read(Data(text.utf8)).interactions[0]
    }

    @Test(
        "A body that is all zlib or DEFLATE is decoded",
        arguments: [raw, zlib],
        ["deflate", "Deflate", "br, deflate"]
    )
    func whole(_ base64: String, _ coding: String) throws {
        let data = try #require(Data(base64Encoded: base64))
        var budget = InflationBudget(.default)
        let expected = try ContentCoding.decoded(data, ["Content-Encoding": "deflate"], &budget)
        #expect(expected != data)
        #expect(try interaction(base64, coding: coding).response?.body.data == expected)
    }

    @Test(
        "A body that was decoded stays, even if it begins like DEFLATE",
        arguments: [
            // An image, text, and bytes that are not DEFLATE to the end.
            "iVBORw0KGgo=", "eF5oZWxsbw==", "AQIDBAUGBwg=", "/w==",
        ]
    )
    func decoded(_ base64: String) throws {
        let data = try #require(Data(base64Encoded: base64))
        #expect(try interaction(base64, coding: "deflate").response?.body.data == data)
    }

    @Test("A body that is cut off never answers", arguments: ["eNpz", "eNpzLUstqlTITc1NSi1SyEgs"])
    func truncated(_ base64: String) throws {
        guard case .unknown(let reason) = try interaction(base64, coding: "deflate").outcome else {
            Issue.record("the body answers")
            return
        }
        #expect(reason.contains("deflate body"))
    }
}
