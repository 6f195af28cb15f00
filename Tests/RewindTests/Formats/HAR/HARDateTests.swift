import Foundation
import RewindTestSupport
import Testing

@testable import Rewind

struct HARDateTests {
    @Test("Every millisecond is written exactly and read back")
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

    @Test("Dates of all years are written like Foundation writes them", arguments: 1...20)
    func allYears(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let style = Date.ISO8601FormatStyle()
        var days = (0..<200).map { _ in Int.random(in: -800_000...2_932_896, using: &random) }
        // The days around the ends of years and of February.
        for year in [1900, 1969, 1970, 1999, 2000, 2023, 2024, 2100, 2400, 9999] {
            let first =
                (year - 1970) * 365 + (year - 1) / 4 - 492 - ((year - 1) / 100 - 19) + ((year - 1) / 400 - 4)
            days += (57...61).map { first + $0 } + [first - 1, first, first + 1]
        }
        for day in days where day <= 2_932_896 {
            let seconds = Double(day) * 86_400 + Double(Int.random(in: 0..<86_400, using: &random))
            let date = Date(timeIntervalSince1970: seconds)
            #expect(HARDate.text(date) == style.format(date).dropLast() + ".000Z")
        }
    }

    @Test(
        "Time zones and other fractions are read",
        arguments: [
            ("2025-11-21T01:00:00.250+01:00", 1_763_683_200.25), ("2025-11-21T00:00:00Z", 1_763_683_200),
            ("2025-11-21T00:00:00.1234567Z", 1_763_683_200.123),
            ("2025-11-20T19:00:00.5-05:00", 1_763_683_200.5),
        ]
    )
    func zonesAndFractions(text: String, seconds: Double) {
        #expect(HARDate.date(text) == Date(timeIntervalSince1970: seconds))
    }

    @Test(
        "Invalid date text is not read as a date",
        arguments: ["", "yesterday", "2025-11-21", "2025-13-45T00:00:00Z"]
    )
    func noDate(text: String) {
        #expect(HARDate.date(text) == nil)
    }
}
