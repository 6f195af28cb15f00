import Foundation
import Rewind
import RewindTestSupport
import Testing

struct HTTPDateTests {
    @Test(
        "All formats of one date are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 6 Nov 1994 8:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
            "06 November 1994 08:49:37 UTC", "08:49:37 06-Nov-1994", " Sun,06 Nov 1994 08:49:37 GMT ",
            "Mon, 06 Nov 1994 08:49:37 GMT", "Sun Nov 06 08:49:37 1994 GMT",
        ]
    )
    func reading(_ text: String) {
        #expect(HTTPDate.date(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(
        "Invalid text is not read as a date",
        arguments: [
            "", " ", "0", "-1", "never", "Sun, 06 Nov 1994", "08:49:37", "Sun, 06 Nov 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Tue, 31 Nov 1994 08:49:37 GMT",
            "Tue, 29 Feb 1994 08:49:37 GMT", "Thu, 29 Feb 1900 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:37:1 GMT", "Sun, 06 Nov 1994 08:49:37 +0200",
            "Sun, 06 Nov 1994 08:49:37 -0800",
            "Sun, 06 Nov 1994 08:49:37 PST", "Sun, 06 Nov 1600 08:49:37 GMT", "Sun, 06 Nov 994 08:49:37 GMT",
            "Sun, 06 Nov 12345 08:49:37 GMT", "Sun, 06 Nof 1994 08:49:37 GMT", "Sun, 06 Nov Dec 08:49:37 GMT",
            "Sun, 06 Nov 1994 1995 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 08:49:38 GMT",
            "1994-11-06T08:49:37Z", "784111777", "Sun, 06 Nov 1994 ٠٨:٤٩:٣٧ GMT",
            "Sun, ٠٦ Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov5 1994 08:49:37 GMT", "06 06 Nov 1994 08:49:37 GMT", ":", "::", "a:b:c",
            "99999999999999999999999:00:00 06 Nov 1994", String(repeating: "1 ", count: 10_000),
        ]
    )
    func malformed(_ text: String) {
        #expect(HTTPDate.date(text) == nil)
    }

    @Test(
        "Years with two digits are between 1970 and 2069",
        arguments: [("70", 1970), ("99", 1999), ("00", 2000), ("69", 2069), ("26", 2026)]
    )
    func shortYears(_ short: String, _ year: Int) throws {
        let date = try #require(HTTPDate.date("Sunday, 06-Nov-\(short) 08:49:37 GMT"))
        #expect(date == HTTPDate.date("Sun, 06 Nov \(year) 08:49:37 GMT"))
        #expect(HTTPDate.text(date)?.contains(" \(year) ") == true)
    }

    @Test(
        "A date is written in the format of RFC 9110",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (784_111_777.999, "Sun, 06 Nov 1994 08:49:37 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (-0.25, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (1_767_225_599, "Wed, 31 Dec 2025 23:59:59 GMT"),
        ]
    )
    func writing(_ seconds: Double, _ text: String) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(
        "A date with an unsupported year is not written",
        arguments: [-62_135_596_800, 253_402_300_800, 1e300, -1e300, -12_000_000_000]
    )
    func unwritable(_ seconds: Double) {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("Random dates survive writing and reading", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<25 {
            let seconds = Double(Int.random(in: -11_000_000_000...250_000_000_000, using: &generator))
            let date = Date(timeIntervalSince1970: seconds)
            let text = try #require(HTTPDate.text(date))
            #expect(HTTPDate.date(text) == date)
            #expect(text.utf8.count == 29)
        }
    }

    @Test(
        "Changed date text never traps, and is read only if it reads back",
        arguments: 0..<20
    )
    func fuzz(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let letters = Array("Sun,06-Nov19948:37GMT \u{0301}é")
        var count = 0
        for _ in 0..<200 {
            let seconds = Double(Int.random(in: 0...4_000_000_000, using: &generator))
            var text = Array(try #require(HTTPDate.text(Date(timeIntervalSince1970: seconds))))
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                text[Int.random(in: 0..<29, using: &generator)] =
                    letters.randomElement(using: &generator) ?? " "
            }
            if let date = HTTPDate.date(String(text)) {
                #expect(HTTPDate.text(date).flatMap(HTTPDate.date) == date)
                count += 1
            }
        }
        #expect(50..<200 ~= count, "some are dates still, and some are not")
    }
}
