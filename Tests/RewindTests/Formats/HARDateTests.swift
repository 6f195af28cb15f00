import Foundation
import Rewind
import Testing

@testable import Rewind

@Suite("Dates of an archive")
struct HARDateTests {
    @Test("Every millisecond is written as itself and read back")
    func everyMillisecond() throws {
        for millisecond in 0..<1000 {
            let date = Date(timeIntervalSince1970: 1_763_683_200 + Double(millisecond) / 1000)
                .roundedToMilliseconds
            let text = HARDate.text(date)
            let digits = String(millisecond)
            #expect(
                text == "2025-11-21T00:00:00." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
            )
            #expect(HARDate.date(text) == date)
        }
    }

    @Test(
        "Zones and other fractions are read",
        arguments: [
            ("2025-11-21T01:00:00.250+01:00", 1_763_683_200.25), ("2025-11-21T00:00:00Z", 1_763_683_200),
            ("2025-11-21T00:00:00.1234567Z", 1_763_683_200.123),
            ("2025-11-20T19:00:00.5-05:00", 1_763_683_200.5),
        ]
    )
    func zonesAndFractions(text: String, seconds: Double) {
        #expect(HARDate.date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test("What is no date is none", arguments: ["", "yesterday", "2025-11-21", "2025-13-45T00:00:00Z"])
    func noDate(text: String) {
        #expect(HARDate.date(text) == nil)
    }
}
