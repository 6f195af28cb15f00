import Foundation
import Rewind
import RewindTestSupport
import Testing

struct RefreshedDatesTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT, and a day, an hour, a minute and a second later.
    private static let recordedAt = Date(timeIntervalSince1970: 784_111_777)
    private static let now = recordedAt.addingTimeInterval(90_061)

    private func interaction(_ headers: HeaderList) -> Interaction {
        Interaction(
            request: Interaction.Request(
                url: "https://example.com/",
                headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
            ),
            outcome: .response(
                Interaction.Response(headers: headers, body: Interaction.Body("Sun, 06 Nov 1994 08:49:37 GMT"))
            ),
            startedAt: Self.recordedAt
        )
    }

    private func refreshed(_ headers: HeaderList) -> HeaderList? {
        interaction(headers).refreshingDates(to: Self.now).response?.headers
    }

    @Test(
        "Dates keep their distance to the start of the request",
        arguments: ["Date", "date", "Expires", "EXPIRES", "Last-Modified", "last-modified"]
    )
    func fields(_ name: String) {
        for (old, new) in [
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 09:50:38 GMT"),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "Mon, 07 Nov 1994 09:50:38 GMT"),
            ("Sun Nov  6 08:49:37 1994", "Mon, 07 Nov 1994 09:50:38 GMT"),
            ("Sat, 31 Dec 1994 23:59:59 GMT", "Mon, 02 Jan 1995 01:01:00 GMT"),
            ("Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 02 Jan 1970 01:01:01 GMT"),
        ] {
            #expect(refreshed([name: old]) == [name: new])
        }
    }

    @Test(
        "Text that is not a date, and other fields, stay unchanged",
        arguments: [
            ["Expires": "0"], ["Expires": "-1"], ["Expires": ""], ["Date": "yesterday"],
            ["Date": "Sun, 06 Nov 1994 08:49:37 PST"], ["Last-Modified": "Sun, 31 Nov 1994 08:49:37 GMT"],
            ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], ["X-Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["Cache-Control": "max-age=60"], ["Age": "5"], ["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"],
        ] as [HeaderList]
    )
    func untouched(_ headers: HeaderList) {
        #expect(refreshed(headers) == headers)
    }

    @Test(
        "Only the expiry date of a cookie is moved",
        arguments: [
            (
                "a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT; Max-Age=60; HttpOnly",
                "a=1; Path=/; Expires=Mon, 07 Nov 1994 09:50:38 GMT; Max-Age=60; HttpOnly"
            ),
            ("a=1;expires=Sunday, 06-Nov-94 08:49:37 GMT", "a=1;expires=Mon, 07 Nov 1994 09:50:38 GMT"),
            ("a=1;  EXPIRES =  Sun Nov  6 08:49:37 1994 ;x", "a=1;  EXPIRES =Mon, 07 Nov 1994 09:50:38 GMT;x"),
            ("a=1; Max-Age=60", "a=1; Max-Age=60"), ("a=1; Expires=0", "a=1; Expires=0"),
            ("a=1; Expires", "a=1; Expires"), ("a=1; Expires=", "a=1; Expires="), ("", ""), (";", ";"),
            (
                "Expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure",
                "Expires=Sun, 06 Nov 1994 08:49:37 GMT; Secure"
            ),
            (
                "a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT, b=2; Expires=0,c=3; Expires=Sun Nov  6 08:49:37 1994",
                "a=1; Expires=Mon, 07 Nov 1994 09:50:38 GMT, b=2; Expires=0, c=3; Expires=Mon, 07 Nov 1994 09:50:38 GMT"
            ),
            ("a=1,b=2", "a=1,b=2"),
        ]
    )
    func cookies(_ old: String, _ new: String) {
        #expect(refreshed(["Set-Cookie": old, "set-cookie": old]) == ["Set-Cookie": new, "set-cookie": new])
        #expect(refreshed(["Cookie": old]) == ["Cookie": old])
    }

    @Test("Order, duplicates, the request and the body are preserved")
    func rest() {
        let old = interaction(["B": "1", "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "b": "2"])
        let new = old.refreshingDates(to: Self.now)
        #expect(new.request == old.request)
        #expect(new.response?.body == old.response?.body)
        #expect(new.response?.headers == ["B": "1", "Date": "Mon, 07 Nov 1994 09:50:38 GMT", "b": "2"])
        #expect(new.timing == old.timing)
    }

    @Test("Refreshing to the same date twice changes nothing")
    func twice() {
        let once = interaction(["Date": "Sun, 06 Nov 1994 08:49:37 GMT"]).refreshingDates(to: Self.now)
        #expect(once.startedAt == Self.now)
        #expect(once.refreshingDates(to: Self.now) == once)
    }

    @Test("A partial response is refreshed, a failure without response is not")
    func failures() {
        var interaction = interaction([:])
        let failure = Interaction.Failure(code: NSURLErrorNetworkConnectionLost)
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        interaction.outcome = .failure(failure, after: Interaction.Response(headers: ["Date": date]))
        let refreshed = interaction.refreshingDates(to: Self.now)
        #expect(refreshed.failure == failure)
        #expect(refreshed.response?.headers["Date"] == "Mon, 07 Nov 1994 09:50:38 GMT")
        interaction.outcome = .failure(failure, after: nil)
        #expect(interaction.refreshingDates(to: Self.now).outcome == interaction.outcome)
    }

    @Test(
        "An interaction without a date stays unchanged",
        arguments: [Date.distantPast, Date(timeIntervalSince1970: 0)]
    )
    func undated(_ date: Date) {
        var undated = interaction(["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        undated.startedAt = date
        #expect(undated.refreshingDates(to: Self.now) == undated)
    }

    @Test("Dates keep their distances for any fraction of a second", arguments: 0..<30)
    func distances(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let started = Date(timeIntervalSince1970: Double.random(in: 1e9..<2e9, using: &generator))
        let now = Date(timeIntervalSince1970: Double.random(in: 1e9..<4e9, using: &generator))
        let offsets =
            [0] + (0..<2).map { _ in Double(Int.random(in: -10_000_000...10_000_000, using: &generator)) }
        let names = ["Date", "Expires", "Last-Modified"]
        let second = started.timeIntervalSince1970.rounded(.down)
        var recorded = interaction([:])
        recorded.startedAt = started
        recorded.changeHeaders { headers in
            for (name, offset) in zip(names, offsets) {
                headers.append(name, HTTPDate.text(Date(timeIntervalSince1970: second + offset)) ?? "")
            }
        }
        let headers = try #require(recorded.refreshingDates(to: now).response?.headers)
        let dates = try names.map { try #require(HTTPDate.date(headers[$0] ?? "")) }
        #expect(dates.map { $0.timeIntervalSince(dates[0]) } == offsets)
        #expect(0..<1 ~= now.timeIntervalSince(dates[0]))
    }
}

extension Interaction {
    fileprivate mutating func changeHeaders(_ change: (inout HeaderList) -> Void) {
        guard case .response(var response) = outcome else { return }
        change(&response.headers)
        outcome = .response(response)
    }
}
